// Script: writes the JSON Schemas of specs and provider files for editors; with --check it only compares and exits 1 on drift.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JSON_SCHEMAS, jsonSchemaText } from './json-schemas';

const checkOnly = process.argv.includes('--check');
for (const [fileName, schema] of Object.entries(JSON_SCHEMAS)) {
  const path = join(__dirname, fileName);
  const text = jsonSchemaText(schema);
  if (!checkOnly) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is not what the schema says now: run npm run schemas`);
    process.exitCode = 1;
  }
}
