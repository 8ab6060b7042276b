// A process that evaluates one expression after the other in a thread, so that its own loop notices when the worker is gone.
import { join } from 'node:path';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import jsonata from 'jsonata';
import type { Evaluation } from '../../contracts/activity-io';
import { EXPRESSION_DEPTH, EXPRESSION_MEMORY_MIB } from '../../contracts/limits';
import { plainJson } from '../../contracts/plain-json';
import type { Job } from './evaluate-apart';
import { reasonOf } from './reason';

async function evaluate({ expression, scope, maxCharacters }: Job): Promise<Evaluation> {
  try {
    const value = plainJson(await jsonata(expression, { stack: EXPRESSION_DEPTH }).evaluate(scope));
    const characters = value === undefined ? 0 : JSON.stringify(value).length;
    if (characters > maxCharacters) {
      return { problem: `gave ${characters} characters of JSON, expected at most ${maxCharacters}` };
    }
    return value === undefined ? {} : { value };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

/** Out of memory the thread takes this process along: some of V8's own work ends no other way. */
function serve(): void {
  const resourceLimits = { maxOldGenerationSizeMb: EXPRESSION_MEMORY_MIB };
  const thread = new Worker(join(__dirname, 'evaluator.js'), { resourceLimits });
  thread.on('message', (message) => process.send?.(message));
  thread.on('error', () => process.exit(1));
  process.on('message', (job) => thread.postMessage(job));
  process.on('disconnect', () => process.exit());
}

if (isMainThread) serve();
else {
  parentPort?.on('message', (job: Job) => void evaluate(job).then((evaluation) => parentPort?.postMessage(evaluation)));
  parentPort?.postMessage('ready');
}
