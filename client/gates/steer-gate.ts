// Sends one order to a gate and looks for a few seconds whether the gate stands as it was told.
import { WorkflowNotFoundError } from '@temporalio/client';
import type { AdjustSignal, GateStatus } from '../../contracts/gate';
import { CONFIRM_POLL_MS, CONFIRM_WITHIN_MS } from '../../contracts/limits';
import { GATE_SIGNAL } from '../../contracts/names';
import { CommandError } from '../command-error';
import { connectionSettings } from '../connection-settings';
import { EXIT } from '../exit-codes';
import { type Server, withinTime, withServer } from '../server';
import { print, printJson, type Shell } from '../shell';
import type { CommonFlags } from '../verb';
import { gateIdOf, gateNameOf } from './gate-name';
import { gateNames, readGate } from './read-gates';
import { gateLines } from './render-gate';

export type GateOrder =
  | { name: 'pause' | 'resume' }
  /** `adjust` of the gate; told as `set`. */
  | { name: 'set'; change: AdjustSignal };

/** Exit code 0 once the order was sent, obeyed yet or not. Throws GATE_NOT_FOUND before anything is sent. */
export function steerGate(shell: Shell, flags: CommonFlags, text: string, order: GateOrder): Promise<number> {
  return withServer(connectionSettings(flags, shell.env), async (server) => {
    const gate = gateNameOf(gateIdOf(text));
    await send(server, gate, order);
    const status = await confirm(server, shell, gate, order);
    const obeyed = status !== null && stands(status, order);
    if (flags.json) printJson(shell, { gate, order: order.name, obeyed, status });
    else if (status !== null && obeyed) print(shell, ...gateLines(gate, status, shell.now()));
    else
      print(
        shell,
        `${order.name} was sent to gate ${gate}; no worker has carried it out yet: ./temporal-dev.sh worker`,
      );
    return EXIT.ok;
  });
}

async function send(server: Server, gate: string, order: GateOrder): Promise<void> {
  const handle = server.client.workflow.getHandle(gateIdOf(gate));
  const signal = () =>
    order.name === 'set' ? handle.signal(GATE_SIGNAL.adjust, order.change) : handle.signal(GATE_SIGNAL[order.name]);
  await withinTime(server, signal).catch(async (error: unknown) => {
    throw error instanceof WorkflowNotFoundError ? await noSuchGate(server, gate) : error;
  });
}

async function confirm(server: Server, shell: Shell, gate: string, order: GateOrder): Promise<GateStatus | null> {
  const deadline = shell.now() + CONFIRM_WITHIN_MS;
  let last: GateStatus | null = null;
  while (shell.now() < deadline && !shell.interrupted.aborted) {
    const answer = await readGate(server, gate);
    if (answer.kind !== 'status') return last;
    last = answer.status;
    if (stands(last, order)) return last;
    await shell.pause(CONFIRM_POLL_MS);
  }
  return last;
}

function stands({ paused, adjusted }: GateStatus, order: GateOrder): boolean {
  if (order.name !== 'set') return paused === (order.name === 'pause');
  const { rate, concurrency } = order.change;
  const isRate = rate === undefined || JSON.stringify(adjusted.rate ?? null) === JSON.stringify(rate);
  return isRate && (concurrency === undefined || (adjusted.concurrency ?? null) === concurrency);
}

export async function noSuchGate(server: Server, gate: string): Promise<CommandError> {
  const names = await gateNames(server);
  const there = names.length === 0 ? 'it has no gates yet' : `it has ${names.join(', ')}`;
  return new CommandError(
    'GATE_NOT_FOUND',
    `there is no gate ${gate} in namespace "${server.namespace}"; ${there}; the first call to an account starts its gate`,
  );
}
