// A page of 250 results of 100 KB each that all come in while nobody runs workflows: nothing may exceed what Temporal carries.

import { temporal } from '@temporalio/proto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pageWorkflowId, providerTaskQueue } from '../../contracts/ids';
import { workflowBundle } from '../../worker/bundle';
import { readConfig } from '../../worker/config';
import { compose } from '../../worker/deps';
import { mainWorkerOptions, providerWorkerOptions } from '../../worker/options';
import { callColumns } from '../controls/look';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';

const ROWS = 250;
const ANSWER_CHARACTERS = 100_000;

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: { providers: { big: { missRate: 0, answerFilling: ANSWER_CHARACTERS } } },
    providers: { big: { limits: { concurrency: 20 } } },
  });
});
afterAll(() => lab.close());

/** Runs only the Workers of the main queue, or only those of the providers, while `work` goes on. */
async function withPart(part: 'main' | 'providers', work: () => Promise<unknown>): Promise<void> {
  const stopping = new AbortController();
  const config = readConfig(lab.settings, lab.folder);
  const composition = await compose(config, stopping.signal);
  const connection = await NativeConnection.connect({ address: lab.address });
  const place = { connection, namespace: lab.namespace };
  const created =
    part === 'main'
      ? [Worker.create({ ...mainWorkerOptions(composition, config), ...place, workflowBundle: await workflowBundle() })]
      : providerWorkerOptions(composition).map((options) => Worker.create({ ...options, ...place }));
  const workers = await Promise.all(created);
  const ended = Promise.all(workers.map((worker) => worker.run()));
  await work();
  stopping.abort();
  for (const worker of workers) worker.shutdown();
  await ended;
  await composition.close();
  await connection.close();
}

/** Calls in the provider's task queue. */
async function waitingCalls(): Promise<number> {
  const { stats } = await lab.client.workflowService.describeTaskQueue({
    namespace: lab.namespace,
    taskQueue: { name: providerTaskQueue('big', 'default') },
    taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
    reportStats: true,
  });
  return Number(stats?.approximateBacklogCount ?? 0);
}

test('every row is in the table with its whole result, and history holds references', async () => {
  const map = await lab.start({
    dataset: { rows: domainRows(ROWS), key: 'domain' },
    columns: callColumns('big.company'),
    concurrency: { rows: ROWS },
  });
  await withPart('main', () => eventually(waitingCalls, (waiting) => waiting === ROWS, 120_000));
  await withPart('providers', () => lab.sim.waitFor((entries) => entries.length === ROWS));
  await lab.worker();
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: ROWS } });
  const table = await map.table();
  expect(table).toHaveLength(ROWS);
  for (const { domain, big } of table) {
    expect(big).toMatchObject({ domain, filling: expect.stringMatching(new RegExp(`^x{${ANSWER_CHARACTERS}}$`)) });
  }
  expect(lab.sim.ledger).toHaveLength(ROWS);
  const { historySize } = await lab.client.workflow.getHandle(pageWorkflowId(map.mapId, 0)).describe();
  expect(historySize).toBeLessThan(4 * 1024 * 1024);
}, 240_000);
