// Ends this process by SIGKILL at its nth step: before a change of the file system, in the middle of a write, or right after a message that writes has left for a database.
import { existsSync, writeSync } from 'node:fs';
import type * as files from 'node:fs/promises';
import { Socket } from 'node:net';

/** What changes names and folders, and whether this call of it will: a step that changes nothing is none. */
const CHANGES: { [name: string]: (path: string, other: unknown) => boolean } = {
  mkdir: (path) => !existsSync(path),
  open: (_path, flags) => flags !== 'r',
  rename: () => true,
  link: (_from, to) => !existsSync(to as string),
  rm: (path) => existsSync(path),
};

type Step = (...args: unknown[]) => unknown;

/** Puts `around` in the place of a function of a module or prototype, which still does its work. */
function wrap(owner: object, name: string, around: (original: Step) => Step): void {
  const original = Reflect.get(owner, name) as Step;
  Reflect.set(owner, name, around(original));
}

/** What has to be known of a file to leave half of a write behind. */
interface OpenFile {
  fd: number;
}

/** Statements after which a database is another one, and the rows of a COPY; what a message holds beside its text does not matter. */
const WRITING = /\b(insert|create|begin|commit|copy)\b|^d/;

const writes = (chunks: unknown): boolean =>
  [chunks].flat().some((one) => WRITING.test(String((one as { chunk?: unknown }).chunk ?? one)));

export interface StepKiller {
  /** Counts one step, which is the last one of this process when it is the nth. */
  step(): void;
  /** Steps so far. */
  steps(): number;
}

/** Steps count from 1; with `nth` null nothing is ever killed. Call it once in a process, before the work begins. */
export async function killAtStep(nth: number | null): Promise<StepKiller> {
  let count = 0;
  const step = () => {
    count += 1;
    if (count === nth) process.kill(process.pid, 'SIGKILL');
  };
  const isNextTheLast = () => count + 1 === nth;

  const module = require('node:fs/promises') as typeof files;
  const probe = await module.open(__filename, 'r');
  const handle = Object.getPrototypeOf(probe) as object;
  await probe.close();
  for (const [name, changes] of Object.entries(CHANGES)) {
    wrap(module, name, (original) => (...args) => {
      if (changes(args[0] as string, args[1])) step();
      return original.apply(module, args);
    });
  }
  wrap(
    handle,
    'writeFile',
    (original) =>
      function (this: OpenFile, ...args) {
        const bytes = args[0] as Buffer;
        if (isNextTheLast()) writeSync(this.fd, bytes.subarray(0, Math.ceil(bytes.length / 2)));
        step();
        return original.apply(this, args);
      },
  );
  // Every message to the database passes one of these two, however the client puts it together; pipes have no remote port.
  for (const name of ['_write', '_writev']) {
    wrap(
      Socket.prototype,
      name,
      (original) =>
        function (this: Socket, ...args) {
          if (this.remotePort === undefined || !writes(args[0])) return original.apply(this, args);
          const sent = args.pop() as (error?: Error | null) => void;
          return original.apply(this, [
            ...args,
            (error?: Error | null) => {
              step();
              sent(error);
            },
          ]);
        },
    );
  }
  return { step, steps: () => count };
}
