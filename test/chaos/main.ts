// `npm run chaos -- --seconds N --seed S`: kills workers and the server at random moments, and judges by the provider's ledger.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type DevServer, startDevServer } from '../helpers/dev-server';
import type { MapLab } from '../helpers/map-lab';
import { type ChaosOptions, runChaos } from './chaos';
import { openChaosLab } from './chaos-lab';
import { judge } from './judge';

const USAGE = 'usage: npm run chaos -- [--seconds 60] [--seed 1] [--workers 3] [--rows 200]';

/** Whole numbers from 1. Throws what is wrong, with the usage. */
function optionsOf(args: string[]) {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { seconds: option, seed: option, workers: option, rows: option } });
  const number = (name: keyof typeof values, otherwise: number): number => {
    const text = values[name];
    if (text === undefined) return otherwise;
    if (/^[1-9]\d*$/.test(text)) return Number(text);
    throw new Error(`--${name}: expected a whole number from 1, got ${JSON.stringify(text)}`);
  };
  return {
    seconds: number('seconds', 60),
    seed: number('seed', 1),
    workers: number('workers', 3),
    rows: number('rows', 200),
  };
}

/** Chaos, and what it came to. */
async function attack(lab: MapLab, server: DevServer, options: ChaosOptions, stopped: AbortSignal) {
  const { maps, kills, signals } = await runChaos(lab, server, options, stopped);
  const all = kills.anyMoment + kills.atPoint + kills.server;
  return { ...options, kills: all, ...kills, signalsTwice: signals, ...(await judge(lab, maps)) };
}

async function main(args: string[]): Promise<number> {
  const options = optionsOf(args);
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  const folder = await mkdtemp(join(tmpdir(), 'sluice-chaos-'));
  const server = await startDevServer({ dbFile: join(folder, 'temporal.db') });
  try {
    const lab = await openChaosLab(server.address, options.seed);
    const figures = await attack(lab, server, options, interrupt.signal).finally(lab.close);
    const width = Math.max(...Object.keys(figures).map((name) => name.length));
    for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name.padEnd(width)}  ${value}\n`);
    const { duplicates, lost, wrong, uncounted, failed } = figures;
    return duplicates + lost + wrong === 0 && uncounted >= 0 && uncounted <= failed ? 0 : 1;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exit(2);
  },
);
