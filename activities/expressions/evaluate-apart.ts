// Evaluates expressions that nothing bounds in processes of their own: one that takes too long, or too much memory, ends its process
// and not the worker. A thread is not enough: V8 out of memory may end the whole process that it belongs to.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Evaluation } from '../../contracts/activity-io';
import {
  EXPRESSION_LEAST_TIME_MS,
  EXPRESSION_MEMORY_MIB,
  EXPRESSION_PROCESSES,
  EXPRESSION_TIMEOUT_MS,
} from '../../contracts/limits';
import type { Json } from '../../contracts/outcomes';
import { createPool } from './pool';

export interface Job {
  expression: string;
  scope: { readonly [name: string]: Json };
  /** Of the value's JSON. */
  maxCharacters: number;
}

/** What came of a message to a process: its answer, or that it has ended, or that the time was up. */
type Heard = { kind: 'answer'; message: unknown } | { kind: 'ended' } | { kind: 'late' };

/** How long a process may take to start on a busy machine. */
const START_WITHIN_MS = 30_000;

/** Of this process; evaluators are started when they are first needed and kept. */
const evaluators = createPool<ChildProcess>(EXPRESSION_PROCESSES);

/** Expressions that ran out of time, with what they get next: half of it, so that 10,000 such rows do not hold up all others. */
const shortened = new Map<string, number>();

/** Evaluates in another process. Rejects only when none can be started. */
export async function evaluateApart(job: Job): Promise<Evaluation> {
  let evaluator = await evaluators.take(startEvaluator);
  // Somebody may have ended an idle one.
  while (!evaluator.connected) {
    evaluators.giveBack(null);
    evaluator = await evaluators.take(startEvaluator);
  }
  const timeMs = shortened.get(job.expression) ?? EXPRESSION_TIMEOUT_MS;
  const heard = await hear(evaluator, timeMs, () => evaluator.send(job));
  if (heard.kind === 'answer') {
    evaluators.giveBack(evaluator);
    shortened.delete(job.expression);
    return heard.message as Evaluation;
  }
  evaluator.kill('SIGKILL');
  evaluators.giveBack(null);
  if (heard.kind === 'ended') {
    return { problem: `needs more than ${EXPRESSION_MEMORY_MIB} MiB; large work belongs into a code tool` };
  }
  shortened.set(job.expression, Math.max(EXPRESSION_LEAST_TIME_MS, timeMs / 2));
  return { problem: `ran for ${timeMs} ms and was stopped; long work belongs into a code tool` };
}

/** Its environment is empty: no secret of the worker is there. */
async function startEvaluator(): Promise<ChildProcess> {
  const evaluator = fork(join(__dirname, 'evaluator.js'), [], {
    execArgv: [],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const heard = await hear(evaluator, START_WITHIN_MS, () => undefined);
  if (heard.kind !== 'answer') {
    evaluator.kill('SIGKILL');
    throw new Error('a process that evaluates expressions did not start');
  }
  // An idle one must not keep the worker alive; it ends with it.
  evaluator.unref();
  evaluator.channel?.unref();
  return evaluator;
}

/** Runs `say` and resolves with the first that is heard of the process. */
function hear(evaluator: ChildProcess, withinMs: number, say: () => void): Promise<Heard> {
  return new Promise((resolve) => {
    const settle = (heard: Heard): void => {
      clearTimeout(timer);
      evaluator.off('message', answered).off('exit', ended).off('error', ended);
      resolve(heard);
    };
    const answered = (message: unknown) => settle({ kind: 'answer', message });
    const ended = () => settle({ kind: 'ended' });
    const timer = setTimeout(() => settle({ kind: 'late' }), withinMs);
    evaluator.on('message', answered).on('exit', ended).on('error', ended);
    say();
  });
}
