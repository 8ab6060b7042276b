// Rows per second without any limit, beside a plain fan-out in the same run: what Sluice costs on top of Temporal.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { MapLab } from '../helpers/map-lab';
import { domainRows } from '../helpers/map-lab';
import { type Measured, median, onStage, rounded } from './stage';

const ROUNDS = 3;
const OPEN_ROWS = 200;

async function plainWorker(lab: MapLab): Promise<() => void> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'plain', 'worker.ts')], {
    env: { ...process.env, TEMPORAL_ADDRESS: lab.address, TEMPORAL_NAMESPACE: lab.namespace },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stderr.once('data', () => resolve());
    child.once('exit', () => reject(new Error('the plain worker ended')));
  });
  return () => child.kill('SIGKILL');
}

async function plainRate(lab: MapLab, rows: number, round: number): Promise<number> {
  const startedMs = performance.now();
  const options = { taskQueue: 'plain', workflowId: `plain-${round}`, args: [{ rows, open: OPEN_ROWS }] };
  await lab.client.workflow.execute('plainMap', options);
  return rows / ((performance.now() - startedMs) / 1000);
}

async function sluiceRate(lab: MapLab, rows: number): Promise<number> {
  const startedMs = performance.now();
  const map = await lab.start({
    dataset: { rows: domainRows(rows), key: 'domain' },
    columns: [{ name: 'text', tool: 'local.text-normalize', input: { text: '{{ row.domain }}' } }],
    concurrency: { rows: OPEN_ROWS },
  });
  await map.result();
  return rows / ((performance.now() - startedMs) / 1000);
}

/** Alternates the two, so that a slow moment of the machine meets both. */
export function measureOverhead(rows: number): Promise<Measured> {
  return onStage({ sim: { providers: {} }, providers: {} }, async (lab) => {
    await lab.workerProcess();
    const stopPlain = await plainWorker(lab);
    const plain: number[] = [];
    const sluice: number[] = [];
    try {
      await plainRate(lab, OPEN_ROWS, -1);
      await sluiceRate(lab, OPEN_ROWS);
      for (let round = 0; round < ROUNDS; round++) {
        plain.push(await plainRate(lab, rows, round));
        sluice.push(await sluiceRate(lab, rows));
      }
    } finally {
      stopPlain();
    }
    return {
      name: `overhead over ${rows} rows`,
      figures: {
        'plain rows/s': rounded(median(plain), 1),
        'sluice rows/s': rounded(median(sluice), 1),
        ratio: rounded(median(sluice) / median(plain)),
        rounds: ROUNDS,
      },
    };
  });
}
