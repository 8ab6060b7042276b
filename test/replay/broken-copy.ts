// Workflow code with one more step than the real one, bundled from a temporary copy: replay must notice it.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { createLogger } from '../../worker/log';

const ROOT = resolve(__dirname, '../..');
const ONE_MORE_STEP = "await require('@temporalio/workflow').sleep(1);";

/**
 * Bundle of a copy in which a timer comes before each of the statements. `statements`: by file of workflows/, the start of
 * the statement as it stands there. Throws when a file does not have it exactly once.
 */
export async function brokenBundle(statements: { [file: string]: string }): Promise<WorkflowBundleWithSourceMap> {
  const copy = await mkdtemp(join(tmpdir(), 'sluice-broken-'));
  try {
    for (const folder of ['workflows', 'contracts'])
      await cp(join(ROOT, folder), join(copy, folder), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    for (const [file, statement] of Object.entries(statements)) {
      const path = join(copy, 'workflows', file);
      const parts = (await readFile(path, 'utf8')).split(statement);
      if (parts.length !== 2) {
        throw new Error(
          `workflows/${file}: expected ${JSON.stringify(statement)} once, got it ${parts.length - 1} times`,
        );
      }
      await writeFile(path, parts.join(`${ONE_MORE_STEP}\n${statement}`));
    }
    return await bundleWorkflowCode({
      workflowsPath: join(copy, 'workflows', 'index.ts'),
      logger: createLogger('WARN'),
    });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
