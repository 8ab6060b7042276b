// Stops the server that global-setup.ts started; one that was given by address stays.
import './global-setup';

export default async function globalTeardown(): Promise<void> {
  await globalThis.sluiceTestServer?.stop();
}
