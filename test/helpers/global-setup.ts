// Gives a jest run its Temporal server: the one at SLUICE_TEST_ADDRESS, else a dev server started here and stopped by global-teardown.ts.
import { constants } from 'node:os';
import { answers, type DevServer, startDevServer } from './dev-server';

declare global {
  var sluiceTestServer: DevServer | undefined;
}

export default async function globalSetup(): Promise<void> {
  const given = process.env.SLUICE_TEST_ADDRESS;
  if (given !== undefined) {
    if (!(await answers(given))) throw new Error(`SLUICE_TEST_ADDRESS=${given}: no Temporal server answers there`);
    return;
  }
  // Without a handler a signal would end jest and leave the server; an exit ends both.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
  globalThis.sluiceTestServer = await startDevServer();
  // Test files run in processes that inherit this.
  process.env.SLUICE_TEST_ADDRESS = globalThis.sluiceTestServer.address;
}
