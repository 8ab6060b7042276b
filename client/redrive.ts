// `sluice redrive`: a new map over the rows of an earlier one that did not finish.
import type { Command } from 'commander';
import { MAP_ID_PATTERN } from '../contracts/ids';
import { CommandError } from './command-error';
import { connectionSettings } from './connection-settings';
import { findMap, findWorkflow } from './find-map';
import { checkedMapId } from './map-id';
import { type Server, withServer } from './server';
import type { Shell } from './shell';
import { startAndTell, type TellFlags } from './start-and-tell';
import { newVerb, runVerb, type VerbContext } from './verb';

/** Redrives of one map that get an id without --id. */
const NUMBERED_REDRIVES = 100;

interface RedriveFlags extends TellFlags {
  id?: string;
  unknown?: boolean;
}

export function redriveVerb(context: VerbContext): Command {
  return newVerb(
    'redrive <map>',
    'run the rows of a map again that did not finish',
    'Starts a new map over the failed, cancelled and not_run rows of one that has ended. Finished rows and cells are taken over and\nnot bought again, so the new table is whole; it takes the place of the earlier one. The source is not read again.',
    ['sluice redrive companies-june --watch', 'sluice redrive companies-june --unknown --id companies-june-settled'],
  )
    .option('--id <id>', 'id of the new map (default <map>-redrive-<n>)')
    .option('--unknown', 'also rows with an unknown outcome: they may be charged twice')
    .option('--watch', 'stay and show progress until the map ends')
    .option('--no-wait', 'do not wait for admission')
    .action((mapId: string, flags: RedriveFlags) =>
      runVerb(context, flags, () => redrive(context.shell, mapId, flags)),
    );
}

async function redrive(shell: Shell, map: string, flags: RedriveFlags): Promise<number> {
  const wanted = flags.id === undefined ? null : checkedMapId(flags.id);
  return withServer(connectionSettings(flags, shell.env), async (server) => {
    await refuseRunning(server, checkedMapId(map));
    const mapId = wanted ?? (await nextId(server, map));
    const argument = { redrive: { map, ...(flags.unknown ? { unknown: true } : {}) } };
    return startAndTell(shell, server, flags, { mapId, argument });
  });
}

/** A map whose history is gone can still be redriven: the run store has its rows. Throws REDRIVE_REFUSED. */
async function refuseRunning(server: Server, map: string): Promise<void> {
  if ((await findWorkflow(server, map)) === null) return;
  const { status } = await findMap(server, map);
  if (status.name !== 'RUNNING') return;
  const message = `${map} still runs; wait for its end (sluice watch ${map}), or end it first: sluice cancel ${map}`;
  throw new CommandError('REDRIVE_REFUSED', message);
}

/** The first free number; a redrive of a redrive counts on. */
async function nextId(server: Server, map: string): Promise<string> {
  const root = map.replace(/-redrive-\d+$/, '');
  for (let number = 1; number <= NUMBERED_REDRIVES; number += 1) {
    const id = `${root}-redrive-${number}`;
    if (!MAP_ID_PATTERN.test(id)) break;
    if (id !== map && (await findWorkflow(server, id)) === null) return id;
  }
  throw new CommandError('INVALID_MAP_ID', `${map} has no free id for its redrive; name one with --id`);
}
