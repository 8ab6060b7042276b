// What the stored histories may hold: nothing of the machine that recorded them, little in all, and every kind of end.
import { readFileSync, statSync } from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SCENARIOS } from './scenarios';
import { scrub, textsOf } from './scrub';
import { HISTORIES_FOLDER, storedHistoryNames } from './stored-histories';

const TOTAL_BYTES = 1200 * 1024;
const fileOf = (name: string) => join(HISTORIES_FOLDER, `${name}.json`);
const read = (name: string): { events: { eventType: string }[] } => JSON.parse(readFileSync(fileOf(name), 'utf8'));
const endOf = (name: string): string | undefined => read(name).events.at(-1)?.eventType;

/**
 * A path from the root of a file system, as it stands at the start of a text or after a quote, blank or bracket. A job's address
 * below its provider's base URL looks the same.
 */
const ABSOLUTE_PATH = /(^|(?<!"address":)["'\s(=])(\/[\w.-]+){2,}|[A-Z]:\\/;
const MACHINE = [hostname(), homedir(), tmpdir(), resolve(__dirname, '../..')];

test.each(storedHistoryNames())('%s tells nothing of the machine that recorded it', (name) => {
  const texts = textsOf(read(name));
  expect(texts.filter((text) => ABSOLUTE_PATH.test(text))).toEqual([]);
  expect(texts.filter((text) => MACHINE.some((own) => text.includes(own)))).toEqual([]);
});

test('together they are small', () => {
  const bytes = storedHistoryNames().map((name) => statSync(fileOf(name)).size);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(TOTAL_BYTES);
});

test('every scenario has histories, and no others are here', () => {
  const recorded = new Set(storedHistoryNames().map((name) => name.split('.')[0]));
  expect([...recorded].sort()).toEqual(SCENARIOS.map(({ name }) => name).sort());
});

test('they show maps that completed, failed and were cancelled, rows that held, and a worker that was lost', () => {
  expect(['columns.map', 'cancelled-in-a-hold.map', 'cancelled-natively.map', 'failed.map'].map(endOf)).toEqual([
    'EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED',
    'EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED',
    'EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED',
    'EVENT_TYPE_WORKFLOW_EXECUTION_FAILED',
  ]);
  const kinds = (name: string) => read(name).events.map(({ eventType }) => eventType);
  expect(kinds('held-and-parked.row-0')).toContain('EVENT_TYPE_TIMER_FIRED');
  expect(kinds('worker-lost-keyless.row-0')).toContain('EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT');
  // Which of its rows had been sent when it was paused differs from recording to recording.
  const paused = storedHistoryNames().filter((name) => name.startsWith('paused.row-'));
  expect(paused.flatMap(kinds)).toContain('EVENT_TYPE_ACTIVITY_TASK_CANCELED');
});

test('a payload is scrubbed inside of its base64, an identity and a stack trace as a whole', () => {
  const payload = (text: string) => ({
    metadata: { encoding: 'anNvbi9wbGFpbg==' },
    data: Buffer.from(JSON.stringify(text)).toString('base64'),
  });
  const event = (own: { path: string; identity: string; stackTrace: string }) => ({
    identity: own.identity,
    failure: { stackTrace: own.stackTrace, message: `no ${own.path}` },
    input: { payloads: [payload(own.path)] },
  });
  const recorded = event({ path: '/home/me/a.csv', identity: '12@host', stackTrace: 'at /home/me/a.ts' });
  expect(scrub([recorded], [['/home/me', 'lab']])).toEqual([
    event({ path: 'lab/a.csv', identity: 'recorder', stackTrace: '' }),
  ]);
});
