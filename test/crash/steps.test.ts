// `kill -9` at every step that admission, parts, sinks and the end of a map take: what is left then is as if nothing had happened.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describeWithPostgres } from '../helpers/postgres';
import { useTemporaryFolder } from '../helpers/temporary-folder';
import type { StepOrder, StepReport } from './steps/main';

jest.setTimeout(600_000);

const folder = useTemporaryFolder();

interface Ended {
  signal: NodeJS.Signals | null;
  seen: StepReport[];
}

async function processWith(order: StepOrder): Promise<Ended> {
  const main = join(__dirname, 'steps', 'main.ts');
  const child = spawn(process.execPath, ['--require', 'tsx/cjs', main, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (code !== null && code !== 0) throw new Error(`step ${order.killAt}: the process ended with ${code}`);
  const seen = text.split('\n').filter(Boolean);
  return { signal, seen: seen.map((line) => JSON.parse(line) as StepReport) };
}

/** Each process ends the map of the one before, which was killed, and is then killed one step later itself. */
async function walk(url: string | null): Promise<number> {
  const place = { folder: join(folder(), 'map'), url };
  const calm = (await processWith({ ...place, goesOn: false, killAt: null })).seen[0];
  expect(Object.keys(calm?.seen ?? {})).toEqual(expect.arrayContaining(['t.jsonl', 't.summary.json', 'parts']));
  for (let killAt = 1; ; killAt += 1) {
    const { signal, seen } = await processWith({ ...place, goesOn: killAt > 1, killAt });
    if (killAt > 1) expect({ killedAt: killAt - 1, ...seen[0]?.seen }).toEqual({ killedAt: killAt - 1, ...calm?.seen });
    if (signal === null) return killAt - 1;
    expect(signal).toBe('SIGKILL');
  }
}

test('run store in a folder, CSV and JSON Lines: killed anywhere, the same bytes and nothing beside them', async () => {
  expect(await walk(null)).toBeGreaterThan(50);
});

describeWithPostgres('run store and table in PostgreSQL', (server) => {
  test('killed anywhere, each row is in the table once, and the files have the same bytes', async () => {
    await server().createDatabase('steps');
    expect(await walk(server().url('steps'))).toBeGreaterThan(40);
  });
});
