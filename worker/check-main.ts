// The process behind `sluice check`: reads { spec, showRows } as JSON from stdin, writes a CheckReport as JSON to stdout. No server.
// A process of its own, since the command line must not import what only a worker may; ends with 2 on wrong settings.
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type CheckRequest, checkMap } from '../activities/check-map';
import { loadProviderFiles } from '../activities/tools/load-provider-files';
import { codeTools } from '../activities/tools/registry';
import { createToolRegistry } from '../activities/tools/tool-registry';
import { ConfigError, readConfig } from './config';

const WORKFLOWS = join(__dirname, '..', 'workflows');

/** Workflows are taken by path, as the bundler takes them. */
function definedMapNames(): readonly string[] {
  require(join(WORKFLOWS, 'maps', 'index.ts'));
  return (require(join(WORKFLOWS, 'define-map.ts')) as { definedMapNames(): string[] }).definedMapNames();
}

async function main(): Promise<number> {
  try {
    const { providersFolder, dataRoot, privateHosts } = readConfig(process.env, process.cwd());
    const request = JSON.parse(await text(process.stdin)) as CheckRequest;
    const report = await checkMap(request, {
      // Addresses and secrets may be on the machine of the worker only: they are no part of a spec.
      loadTools: async () =>
        createToolRegistry({
          providers: await loadProviderFiles({ folder: providersFolder, lookUp: false }),
          codeTools,
        }),
      maps: definedMapNames(),
      dataRoot,
      privateHosts,
    });
    process.stdout.write(JSON.stringify(report));
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof ConfigError ? 2 : 1;
  }
}

void main().then((code) => {
  process.exitCode = code;
});
