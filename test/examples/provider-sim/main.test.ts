import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseLedger } from '../../../examples/provider-sim/ledger-reading';
import { ask } from './client';

const root = join(__dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'provider-sim-'));
const started: ChildProcess[] = [];
const config = 'providers: { acme: { secret: { env: SIM_TEST_KEY }, missRate: 0 } }\n';

function run(args: string[], environment: { [name: string]: string } = {}): ChildProcess {
  const command = ['--import', 'tsx', 'examples/provider-sim/main.ts', ...args];
  const child = spawn(process.execPath, command, { cwd: root, env: { ...process.env, ...environment } });
  started.push(child);
  return child;
}

afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** Text of a stream up to its first line end, or its end. */
async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text;
}

test('as a process it prints its address, writes the ledger, and ends on SIGTERM', async () => {
  const [path, ledger] = [join(folder, 'sim.yaml'), join(folder, 'ledger.jsonl')];
  writeFileSync(path, config);
  const child = run(['--config', path, '--port', '0', '--ledger', ledger], { SIM_TEST_KEY: 'a test secret' });
  const exited = once(child, 'exit');
  try {
    const line = await firstLine(child.stdout);
    expect(line).toMatch(/^provider-sim listening on http:\/\/127\.0\.0\.1:\d+\n$/);
    const url = line.trim().split(' ').at(-1);
    const got = await ask(`${url}/acme/v1/company?domain=a.example`, { secret: 'a test secret' });
    expect(got.status).toBe(200);
    expect(parseLedger(readFileSync(ledger, 'utf8'))).toMatchObject([{ n: 1, verdict: 'answered' }]);
    expect(readFileSync(ledger, 'utf8')).not.toContain('a test secret');
  } finally {
    child.kill('SIGTERM');
  }
  expect(await exited).toEqual([0, null]);
});

test.each([
  ['no configuration', [], '--config: got nothing, expected the path'],
  ['a file that is not there', ['--config', join(folder, 'none.yaml')], 'ENOENT'],
])('%s ends it with status 1 and a message', async (_, args, message) => {
  const child = run(args);
  const exited = once(child, 'exit');
  expect(await firstLine(child.stderr)).toContain(message);
  expect(await exited).toEqual([1, null]);
});
