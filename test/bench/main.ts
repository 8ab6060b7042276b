// `npm run bench [-- name[=rows]…]`: measures, then prints a table and one line of JSON. Figures, never a pass or a fail.
import { startDevServer } from '../helpers/dev-server';
import { measureAdmission } from './admission';
import { measureConcurrencyOnly, measureLongWindows, measureRates, measureRefusals } from './gate-use';
import { measureHistories } from './histories';
import { measureKills } from './kills';
import { measureClosings, measureOpenLimit } from './limit-use';
import { measureMemory } from './memory';
import { measureOverhead } from './overhead';
import { measureReuse } from './reuse';
import type { Measured } from './stage';
import { measureWaiters } from './waiters';

/** Those that take a number of rows have the usual one as default. */
const BENCHES: { [name: string]: (rows?: number) => Promise<Measured> } = {
  limit: () => measureOpenLimit(),
  closings: () => measureClosings(),
  rates: () => measureRates(),
  windows: () => measureLongWindows(),
  concurrency: () => measureConcurrencyOnly(),
  refusals: () => measureRefusals(),
  overhead: (rows = 600) => measureOverhead(rows),
  memory: (rows = 10_000) => measureMemory(rows),
  reuse: (rows = 2000) => measureReuse(rows),
  waiters: (rows = 6000) => measureWaiters(rows),
  kills: (rows = 5000) => measureKills(rows, 300),
  histories: (rows = 1000) => measureHistories(rows),
  admission: (rows = 1_000_000) => measureAdmission(rows),
};

function print({ name, figures }: Measured): void {
  process.stdout.write(`\n${name}\n`);
  const width = Math.max(...Object.keys(figures).map((figure) => figure.length));
  for (const [figure, value] of Object.entries(figures)) process.stdout.write(`  ${figure.padEnd(width)}  ${value}\n`);
}

interface Wanted {
  name: string;
  rows: number | undefined;
}

/** `histories=10000`; without a number the bench's own. */
function wantedBench(argument: string): Wanted {
  const [name = '', rows] = argument.split('=');
  return { name, rows: rows === undefined ? undefined : Number(rows) };
}

const isKnown = ({ name, rows = 1 }: Wanted): boolean =>
  Object.hasOwn(BENCHES, name) && Number.isInteger(rows) && rows > 0;

async function main(args: string[]): Promise<number> {
  const unknown = args.filter((argument) => !isKnown(wantedBench(argument)));
  if (unknown.length > 0) {
    process.stderr.write(
      `no bench ${unknown.join(', ')}; expected name or name=rows with one of ${Object.keys(BENCHES).join(', ')}\n`,
    );
    return 2;
  }
  const measured: Measured[] = [];
  for (const { name, rows } of (args.length > 0 ? args : Object.keys(BENCHES)).map(wantedBench)) {
    // A server of its own for each: histories of one bench must not slow the next.
    const server = await startDevServer();
    process.env.SLUICE_TEST_ADDRESS = server.address;
    try {
      const one = await (BENCHES[name] as (rows?: number) => Promise<Measured>)(rows);
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
