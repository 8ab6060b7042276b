// A folder of its own for each test, removed when the test ends.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Registers the clean-up and answers a function that gives the folder of the running test. */
export function useTemporaryFolder(): () => string {
  let folder = '';
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'sluice-test-')));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}
