// What travels into the workflow sandbox: our workflows and contracts, JSONata when it is needed, and neither zod nor Node.
import { builtinModules } from 'node:module';
import { workflowBundle } from '../../worker/bundle';

/** What the SDK itself puts into every bundle; of the built-ins it gives its own harmless versions. */
const OF_THE_SDK = { builtins: ['assert', 'async_hooks', 'url', 'util'], packages: ['long', 'ms', 'nexus-rpc'] };

let modules: string[];

beforeAll(async () => {
  const { code } = await workflowBundle();
  modules = [...code.matchAll(/^\/\*\*\*\/ "([^"]+)":?/gm)].map((match) => match[1] as string);
});

const packagesOf = (paths: string[]) =>
  new Set(paths.flatMap((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []));

test('the bundle has our workflows', () => {
  expect(modules).toEqual(expect.arrayContaining(['./workflows/map-row.ts', './contracts/limits.ts']));
});

test('only these packages came along', () => {
  const ours = [...packagesOf(modules)].filter((name) => !name.startsWith('@temporalio/'));
  expect(ours.sort()).toEqual(['jsonata', ...OF_THE_SDK.packages].sort());
});

test('no folder but workflows and contracts is in it, and no schema', () => {
  const own = modules.filter((path) => path.startsWith('./') && !path.startsWith('./node_modules/'));
  expect(own.filter((path) => !/^\.\/(workflows|contracts)\//.test(path))).toEqual([]);
  expect(own.filter((path) => path.includes('schemas'))).toEqual([]);
});

test('no Node built-in is in it', () => {
  const names = new Set(builtinModules.filter((name) => !OF_THE_SDK.builtins.includes(name)));
  expect(modules.filter((path) => names.has(path.replace(/^(external )?"?(node:)?/, '')))).toEqual([]);
});
