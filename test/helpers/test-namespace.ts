// Gives a test file a namespace of its own, so that fixed workflow ids and task queues of different files never meet.
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';

export interface TestNamespace {
  readonly address: string;
  readonly namespace: string;
  readonly connection: Connection;
  readonly client: Client;
  close(): Promise<void>;
}

/** Opens a new namespace on the server of this jest run, or on another one by address. It is usable at once: registering takes 5 ms. */
export async function openTestNamespace(address = testAddress()): Promise<TestNamespace> {
  const namespace = `test-${randomUUID()}`;
  const connection = await Connection.connect({ address });
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  const client = new Client({ connection, namespace });
  return { address, namespace, connection, client, close: () => connection.close() };
}

/** Address of the server that global-setup.ts brought up; throws outside of jest. */
export function testAddress(): string {
  const address = process.env.SLUICE_TEST_ADDRESS;
  if (address === undefined) throw new Error('SLUICE_TEST_ADDRESS is not set: test/helpers/global-setup.ts sets it');
  return address;
}
