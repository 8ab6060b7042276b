// Admission of a large CSV by a real worker: its peak memory, its rate beside csv-parse, and the memory of the same work without a worker.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'csv-parse';
import type { MapLab } from '../helpers/map-lab';
import { type Measured, onStage, residentMiB, rounded, seconds } from './stage';

const LOOK_EVERY_MS = 200;
/** With the other columns about 200 bytes a row. */
const NOTE = 'a note of some length, with a comma and "quotes", as people write them '.repeat(2).replaceAll('"', '""');

function* lines(rows: number): Generator<string> {
  yield 'id,domain,country,note\r\n';
  const batch = 1000;
  for (let first = 0; first < rows; first += batch) {
    const length = Math.min(batch, rows - first);
    const row = (at: number) => `${at},company-${at}.example,DE,"${NOTE}${at}"\r\n`;
    yield Array.from({ length }, (_, at) => row(first + at)).join('');
  }
}

async function parseAlone(file: string): Promise<number> {
  let rows = 0;
  for await (const _row of createReadStream(file).pipe(parse({ columns: false, from_line: 2 }))) rows += 1;
  return rows;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Peak of resident memory in MiB; Linux only, NaN elsewhere and for a process that is gone. */
function peakMiB(pid: number): number {
  try {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line ? Math.round(Number(line[1]) / 1024) : Number.NaN;
  } catch {
    return Number.NaN;
  }
}

/** Peak of the process behind `sluice check`, which admits and keeps nothing: what admission needs without a worker around it. */
async function peakOfCheck(lab: MapLab, spec: object): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--require', 'tsx/cjs', join(__dirname, '..', '..', 'worker', 'check-main.ts')],
    {
      env: { ...process.env, ...lab.settings },
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  );
  child.stdin.end(JSON.stringify({ spec, showRows: 0 }));
  let peak = 0;
  const look = setInterval(() => {
    peak = Math.max(peak, peakMiB(child.pid as number) || 0);
  }, LOOK_EVERY_MS);
  await once(child, 'exit');
  clearInterval(look);
  return peak;
}

export function measureAdmission(rows: number): Promise<Measured> {
  return onStage({ sim: { providers: {} }, providers: {} }, async (lab) => {
    const file = join(lab.folder, 'large.csv');
    await pipeline(lines(rows), createWriteStream(file));
    const { size } = await stat(file);
    const parsedMs = await timed(() => parseAlone(file));
    const spec = {
      dataset: { csv: file, key: 'domain' },
      columns: [{ name: 'size', value: '{{ $length(row.domain) }}' }],
      concurrency: { rows: 1, parkedRows: 0 },
    };
    const alone = await peakOfCheck(lab, { name: 'large', output: { csv: 'out/large.csv' }, ...spec });
    const worker = await lab.workerProcess();
    const idle = residentMiB(worker.pid);
    let admittedRows = 0;
    const admittedMs = await timed(async () => {
      const map = await lab.start(spec);
      for (let state = 'admitting'; state === 'admitting'; await pause(LOOK_EVERY_MS)) {
        const progress = await map.progress().catch(() => null);
        state = progress?.state ?? state;
        admittedRows = progress?.cardinality?.uniqueInputRows ?? 0;
      }
      await map.handle.terminate();
    });
    const rate = (ms: number) => Math.round(rows / (ms / 1000));
    return {
      name: `admission of a CSV of ${rows} rows, ${Math.round(size / 1e6)} MB, by key`,
      figures: {
        'rows admitted': admittedRows,
        'admitted in s': seconds(admittedMs),
        'rows/s': rate(admittedMs),
        'rows/s of csv-parse alone': rate(parsedMs),
        'times as long as csv-parse': rounded(admittedMs / parsedMs),
        'peak MiB of the worker': peakMiB(worker.pid),
        'MiB of the idle worker': idle,
        'peak MiB of sluice check': alone,
      },
    };
  });
}
