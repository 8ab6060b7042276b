// `npm run bench [-- name…]`: measures, then prints a table and one line of JSON. Figures, never a pass or a fail.
import { startDevServer } from '../helpers/dev-server';
import { measureAdmission } from './admission';
import { measureConcurrencyOnly, measureLongWindows, measureRates, measureRefusals } from './gate-use';
import { measureKills } from './kills';
import { measureClosings, measureOpenLimit } from './limit-use';
import { measureMemory } from './memory';
import { measureOverhead } from './overhead';
import { measureReuse } from './reuse';
import type { Measured } from './stage';
import { measureWaiters } from './waiters';

const BENCHES: { [name: string]: () => Promise<Measured> } = {
  limit: measureOpenLimit,
  closings: measureClosings,
  rates: measureRates,
  windows: measureLongWindows,
  concurrency: measureConcurrencyOnly,
  refusals: measureRefusals,
  overhead: () => measureOverhead(600),
  memory: () => measureMemory(10_000),
  reuse: () => measureReuse(2000),
  waiters: () => measureWaiters(6000),
  kills: () => measureKills(5000, 300),
  admission: () => measureAdmission(1_000_000),
};

function print({ name, figures }: Measured): void {
  process.stdout.write(`\n${name}\n`);
  const width = Math.max(...Object.keys(figures).map((figure) => figure.length));
  for (const [figure, value] of Object.entries(figures)) process.stdout.write(`  ${figure.padEnd(width)}  ${value}\n`);
}

async function main(wanted: string[]): Promise<number> {
  const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) {
    process.stderr.write(`no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}\n`);
    return 2;
  }
  const measured: Measured[] = [];
  for (const name of wanted.length > 0 ? wanted : Object.keys(BENCHES)) {
    // A server of its own for each: histories of one bench must not slow the next.
    const server = await startDevServer();
    process.env.SLUICE_TEST_ADDRESS = server.address;
    try {
      const one = await (BENCHES[name] as () => Promise<Measured>)();
      print(one);
      measured.push(one);
    } finally {
      await server.stop();
    }
  }
  process.stdout.write(`\n${JSON.stringify(measured)}\n`);
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
