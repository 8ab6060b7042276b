// The process that builds the workflow bundle, so that the memory of a build does not stay with the worker: writes it to the given path.
import { rename, writeFile } from 'node:fs/promises';
import { bundleWorkflowCode } from '@temporalio/worker';
import { createLogger } from './log';

async function main([workflowsPath, path]: string[]): Promise<void> {
  if (workflowsPath === undefined || path === undefined)
    throw new Error('expected the workflows and the path to write');
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: createLogger('WARN') });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, code);
  await rename(temporary, path);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
