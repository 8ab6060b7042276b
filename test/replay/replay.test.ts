// Do maps that are under way survive this code? Every stored history is replayed, without a server, against the workflows as they are now.
import { Worker } from '@temporalio/worker';
import { workflowBundle } from '../../worker/bundle';
import { brokenBundle } from './broken-copy';
import { installQuietRuntime } from './quiet-runtime';
import { storedHistory, storedHistoryNames } from './stored-histories';

installQuietRuntime();

/** Refused at admission, or without any call. */
const WITHOUT_THE_STEP = new Set(['refused.map', 'large-row.row-0']);

type Bundle = Awaited<ReturnType<typeof workflowBundle>>;

/** The error of each history by its name; null when the workflow took the same steps again. */
async function replayAll(bundle: Bundle): Promise<Map<string, Error | null>> {
  const histories = storedHistoryNames().map(storedHistory);
  const nameOf = new Map(histories.map(({ runId, name }) => [runId, name]));
  const errors = new Map<string, Error | null>();
  for await (const { runId, error } of Worker.runReplayHistories({ workflowBundle: bundle }, histories)) {
    errors.set(nameOf.get(runId) as string, error ?? null);
  }
  return errors;
}

describe('the workflows of this tree', () => {
  let errors: Map<string, Error | null>;
  beforeAll(async () => {
    errors = await replayAll(await workflowBundle());
  });

  test.each(storedHistoryNames())('%s takes the recorded steps', (name) => {
    const error = errors.get(name);
    if (error) throw new Error(`${name}: ${error.message}`, { cause: error });
    expect(error).toBeNull(); // undefined: it was not replayed at all
  });
});

describe('a copy of the workflows that takes one step more', () => {
  let errors: Map<string, Error | null>;
  beforeAll(async () => {
    errors = await replayAll(
      await brokenBundle({
        'call-tool.ts': 'dispatchCall(request',
        'join-shared-call.ts': 'joinCall({',
        'kept-answers.ts': 'digestOf(request.input)',
        'settled-call.ts': 'mapActivities(HEARTBEAT_TIMEOUT_MS)',
        'map-page.ts': 'readPage({',
        'map-section.ts': 'driver.run()',
        'dataset-map.ts': 'finishMap(request',
        'export-map.ts': 'activities.exportMap({',
        'provider-gate.ts': 'condition(() => workflowInfo()',
      }),
    );
  });

  test.each(storedHistoryNames().filter((name) => !WITHOUT_THE_STEP.has(name)))('%s is refused', (name) => {
    expect(errors.get(name)).toMatchObject({ name: 'DeterminismViolationError' });
  });

  test.each([...WITHOUT_THE_STEP])('%s never came to that step', (name) => {
    expect(errors.get(name)).toBeNull();
  });
});
