// `sluice export`: the table of a map as it is now, also from a running map, and again after its outputs were deleted.
import { resolve } from 'node:path';
import { ApplicationFailure, WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client';
import { type Command, Option } from 'commander';
import { type ExportRequest, type ExportResult, TABLE_FORMATS, type TableFormatName } from '../contracts/export';
import { exportWorkflowId } from '../contracts/ids';
import { CONFIRM_POLL_MS, CONFIRM_WITHIN_MS } from '../contracts/limits';
import { WORKFLOW } from '../contracts/names';
import { CommandError } from './command-error';
import { connectionSettings } from './connection-settings';
import { EXIT } from './exit-codes';
import { findMap } from './find-map';
import { counted } from './format';
import { codeNamed } from './map-end';
import { checkedMapId } from './map-id';
import { whyNoAnswer } from './no-answer';
import { statusCounts } from './render-counts';
import { readWithinTime, type Server, withinTime, withServer } from './server';
import { print, printJson, type Shell, tell } from './shell';
import { type CommonFlags, newVerb, runVerb, type VerbContext } from './verb';

interface ExportFlags extends CommonFlags {
  to?: string;
  format?: TableFormatName;
  overwrite?: boolean;
}

export function exportVerb(context: VerbContext): Command {
  return newVerb(
    'export <map>',
    'write the table of a map as it is now, or its outputs once more',
    'With --to: all rows as they are now, of a running map too; those without an outcome have the _status pending. Without it: table,\nfailures and summary of a map that has ended, again where they were. A worker writes, on its machine; nothing is run or bought.',
    [
      'sluice export companies-june',
      'sluice export companies-june --to so-far.csv',
      'sluice export companies-june --to all.jsonl --overwrite',
    ],
  )
    .option('--to <path>', 'file to write, on the machine of the worker; relative to this folder')
    .addOption(
      new Option(
        '--format <format>',
        'format of that file (default: by its ending, else as the table of the map)',
      ).choices(TABLE_FORMATS),
    )
    .option('--overwrite', 'replace files that hold something else')
    .action((map: string, flags: ExportFlags) => runVerb(context, flags, () => exportTable(context.shell, map, flags)));
}

async function exportTable(shell: Shell, map: string, flags: ExportFlags): Promise<number> {
  const { to, format, overwrite } = flags;
  const request: ExportRequest = {
    map: checkedMapId(map),
    ...(to === undefined ? {} : { to: resolve(shell.cwd, to) }),
    ...(format === undefined ? {} : { format }),
    ...(overwrite ? { overwrite } : {}),
  };
  return withServer(connectionSettings(flags, shell.env), async (server) => {
    const { workerSeen, message } = await whyNoAnswer(server, map, shell.now());
    if (!workerSeen) throw new CommandError('NO_WORKER', message);
    const result = await resultOf(server, shell, request);
    if (result === null) {
      tell(shell, `interrupted; the export goes on as the workflow ${exportWorkflowId(map)}`);
      return EXIT.interrupted;
    }
    if (flags.json) printJson(shell, result);
    else print(shell, ...exportLines(result));
    return EXIT.ok;
  });
}

/** Null when the person interrupts. A worker that is gone is told once; the next one goes on. */
async function resultOf(server: Server, shell: Shell, request: ExportRequest): Promise<ExportResult | null> {
  let tellAtMs = shell.now() + CONFIRM_WITHIN_MS;
  try {
    const handle = await startExport(server, request);
    while ((await readWithinTime(server, () => handle.describe())).status.name === 'RUNNING') {
      if (shell.interrupted.aborted) return null;
      if (shell.now() >= tellAtMs) {
        const { workerSeen, message } = await whyNoAnswer(server, request.map, shell.now());
        if (!workerSeen) tell(shell, message);
        tellAtMs = workerSeen ? shell.now() + CONFIRM_WITHIN_MS : Number.POSITIVE_INFINITY;
      }
      await shell.pause(CONFIRM_POLL_MS);
    }
    return await handle.result();
  } catch (error) {
    throw await explained(error, server, request.map);
  }
}

const startExport = (server: Server, request: ExportRequest) =>
  withinTime(server, () =>
    server.client.workflow.start<(request: ExportRequest) => Promise<ExportResult>>(WORKFLOW.exportMap, {
      taskQueue: server.taskQueue,
      workflowId: exportWorkflowId(request.map),
      args: [request],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
    }),
  );

/** What the worker refused, under its code. A map that it does not have may be one that nobody has: then MAP_NOT_FOUND is thrown. */
async function explained(error: unknown, server: Server, map: string): Promise<unknown> {
  if (error instanceof WorkflowExecutionAlreadyStartedError) {
    const message = `an export of ${map} is under way, and there is one at a time; wait for its end: temporal workflow result -w ${exportWorkflowId(map)}`;
    return new CommandError('EXPORT_REFUSED', message);
  }
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) return error;
  const { type, message } = error.cause;
  const code = codeNamed(type);
  if (code === 'MAP_NOT_IN_STORE') await findMap(server, map);
  return code === null ? error.cause : new CommandError(code, message);
}

function exportLines({ map, ended, files, rows, pending, warnings }: ExportResult): string[] {
  const total = Object.values(rows).reduce((sum, count) => sum + count, pending);
  const open = pending > 0 ? [`pending ${pending}`] : [];
  return [
    ended
      ? `every row of ${map} has ended`
      : `${map} as it is now: ${counted(pending, 'row', 'has', 'have')} no outcome yet`,
    `rows     ${[...statusCounts(rows), ...open, `of ${total}`].join(' · ')}`,
    ...files.map((file) => `written  ${file}`),
    ...warnings.map((warning) => `warning  ${warning}`),
  ];
}
