import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JSON_SCHEMAS, jsonSchemaText } from '../../../contracts/schemas/json-schemas';

const folder = join(__dirname, '../../../contracts/schemas');

test.each(Object.keys(JSON_SCHEMAS))('%s is what the schema says: else run npm run schemas', (fileName) => {
  expect(readFileSync(join(folder, fileName), 'utf8')).toBe(jsonSchemaText(JSON_SCHEMAS[fileName]!));
});

test.each(Object.keys(JSON_SCHEMAS))('%s describes every option of every object, and lets none else in', (fileName) => {
  const undescribed: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (node === null || typeof node !== 'object') return;
    const { properties, additionalProperties } = node as {
      properties?: Record<string, { description?: string; const?: unknown }>;
    } & {
      additionalProperties?: unknown;
    };
    if (properties) {
      expect([path, additionalProperties]).toEqual([path, false]);
      const missing = Object.entries(properties).filter(
        ([, option]) => !option.description && option.const === undefined,
      );
      undescribed.push(...missing.map(([name]) => `${path}.${name}`));
    }
    for (const [key, member] of Object.entries(node)) visit(member, `${path}.${key}`);
  };
  visit(JSON.parse(jsonSchemaText(JSON_SCHEMAS[fileName]!)), '');
  expect(undescribed).toEqual([]);
});
