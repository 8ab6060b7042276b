// Workflow code with one more step than the real one, bundled from a temporary copy: replay must notice it.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { createLogger } from '../../worker/log';

const ROOT = resolve(__dirname, '../..');
// A timer starts before the call; a promise is true, so the value of the whole stays that of the call.
const ONE_MORE_STEP = "require('@temporalio/workflow').sleep(1) && ";

/**
 * Bundle of a copy in which a timer comes before each of the calls. `calls`: by file of workflows/, the start of the call
 * as it stands there. Throws when a file does not have it exactly once.
 */
export async function brokenBundle(calls: { [file: string]: string }): Promise<WorkflowBundleWithSourceMap> {
  const copy = await mkdtemp(join(tmpdir(), 'sluice-broken-'));
  try {
    for (const folder of ['workflows', 'contracts'])
      await cp(join(ROOT, folder), join(copy, folder), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    for (const [file, call] of Object.entries(calls)) {
      const path = join(copy, 'workflows', file);
      const parts = (await readFile(path, 'utf8')).split(call);
      if (parts.length !== 2) {
        throw new Error(`workflows/${file}: expected ${JSON.stringify(call)} once, got it ${parts.length - 1} times`);
      }
      await writeFile(path, parts.join(`${ONE_MORE_STEP}${call}`));
    }
    return await bundleWorkflowCode({
      workflowsPath: join(copy, 'workflows', 'index.ts'),
      logger: createLogger('WARN'),
    });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
