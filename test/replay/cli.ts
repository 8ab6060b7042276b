// Entry of `npm run replay`.
import { processShell } from '../../client/shell';
import { installQuietRuntime } from './quiet-runtime';
import { runReplay } from './replay-server';

installQuietRuntime();
runReplay(process.argv.slice(2), processShell()).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
