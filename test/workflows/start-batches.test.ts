// Many units that each carry a large plan: their starts exceed what one message holds, so they go in several workflow tasks.
import { pageWorkflowId, sectionWorkflowId } from '../../contracts/ids';
import { PLAN_BYTES } from '../../contracts/limits';
import { type MapLab, openMapLab } from '../helpers/map-lab';
import { eventsOf } from '../helpers/row-history';

jest.setTimeout(120_000);

/** What a server takes in one message (gRPC: 4 MiB); a task that exceeds it is repeated for ever. */
const MESSAGE_BYTES = 4 * 1024 * 1024;
/** The plan of a row, with what the rest of it needs left free. */
const TEXT_BYTES = PLAN_BYTES - 2048;
const UNITS = 80;

const spec = (rows: number) => ({
  dataset: { rows: Array.from({ length: rows }, (_, row) => ({ row: String(row) })) },
  columns: [{ name: 'size', value: `{{ $length('${'x'.repeat(TEXT_BYTES)}') }}` }],
  concurrency: { rows: 2 * UNITS },
});

async function runUnits(
  environment: Record<string, string>,
  rows: number,
  look: (lab: MapLab, mapId: string) => Promise<void>,
) {
  const lab = await openMapLab({ sim: { providers: {} }, providers: {}, environment });
  try {
    await lab.worker();
    const map = await lab.start(spec(rows));
    expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: rows } });
    await look(lab, map.mapId);
  } finally {
    await lab.close();
  }
}

/** Starts of children in each workflow task of a history. */
async function startsOfTasks(lab: MapLab, workflowId: string): Promise<number[]> {
  const starts: number[] = [];
  for (const event of await eventsOf(lab.client, workflowId)) {
    if (event.workflowTaskCompletedEventAttributes) starts.push(0);
    if (event.startChildWorkflowExecutionInitiatedEventAttributes) starts.push((starts.pop() ?? 0) + 1);
  }
  return starts;
}

async function expectSeveralTasks(lab: MapLab, workflowId: string): Promise<void> {
  const starts = await startsOfTasks(lab, workflowId);
  expect(starts.reduce((sum, count) => sum + count, 0)).toBe(UNITS);
  expect(Math.max(...starts) * PLAN_BYTES).toBeLessThan(MESSAGE_BYTES);
}

test('the pages of a map with a large plan start in several tasks, none larger than a message', async () => {
  await runUnits({ SLUICE_PAGE_ROWS: '1' }, UNITS, expectSeveralTasks);
});

test('so do its sections', async () => {
  await runUnits({ SLUICE_PAGE_ROWS: '1', SLUICE_SECTION_PAGES: '2' }, 2 * UNITS, async (lab, mapId) => {
    await expectSeveralTasks(lab, mapId);
    const of = (id: string) => lab.client.workflow.getHandle(id).describe();
    expect((await of(sectionWorkflowId(mapId, 0))).type).toBe('mapSection');
    expect((await of(pageWorkflowId(mapId, 0))).type).toBe('mapPage');
  });
});
