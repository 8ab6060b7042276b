// `sluice check`: everything admission would say of a spec, and what its map may cost, without a run and without a server.
import type { Command } from 'commander';
import type { CheckReport } from '../contracts/check-report';
import { CommandError } from './command-error';
import { EXIT, exitCodeOf } from './exit-codes';
import { loadSpec } from './load-spec';
import { checkLines } from './render-check';
import { runCheck } from './run-check';
import { print, printJson, type Shell, tell } from './shell';
import type { SpecFlags } from './spec-flags';
import { type CommonFlags, newVerb, runVerb, type VerbContext, wholeNumberFlag } from './verb';

interface CheckFlags extends CommonFlags, SpecFlags {
  rows: number;
}

const SHOWN_ROWS = 3;
const MOST_SHOWN_ROWS = 100;

export function checkVerb(context: VerbContext): Command {
  return newVerb(
    'check <file>',
    'say what admission would say, and what the map may cost',
    'Reads the whole dataset, the provider files and the spec as a worker would (SLUICE_PROVIDERS, default ./providers) and tells columns,\nfirst rows, duplicates, problems and warnings, calls and cost. Starts nothing, writes nothing, needs no server and no secrets.',
    ['sluice check companies.map.yaml', 'sluice check companies.map.yaml --limit 1000 --json'],
  )
    .option('--limit <rows>', 'only the first rows of the dataset', wholeNumberFlag(1, Number.MAX_SAFE_INTEGER))
    .option('--overwrite', 'as for a start with --overwrite: tables may exist')
    .option('--rows <n>', 'how many of the first rows to show', wholeNumberFlag(0, MOST_SHOWN_ROWS), SHOWN_ROWS)
    .action((file: string, flags: CheckFlags) => runVerb(context, flags, () => check(context.shell, file, flags)));
}

async function check(shell: Shell, file: string, flags: CheckFlags): Promise<number> {
  const { argument, placeOf } = loadSpec(file, flags, shell.cwd);
  const report = withPlaces(await runCheck(shell, argument, flags.rows), placeOf);
  const [first] = report.problems;
  if (flags.json) printJson(shell, { ok: !first, ...report });
  else print(shell, ...checkLines(file, report));
  if (!first) return EXIT.ok;
  if (!flags.json) {
    const count = report.problems.length === 1 ? '1 problem' : `${report.problems.length} problems`;
    tell(
      shell,
      ...new CommandError(first.code, `${file} has ${count}, it would not be admitted`, report.problems).lines,
    );
  }
  return exitCodeOf(first.code);
}

/** Problems of the spec with the line of the file; those of other files have their place already. */
const withPlaces = (report: CheckReport, placeOf: (path: string) => string): CheckReport => ({
  ...report,
  problems: report.problems.map((problem) => {
    if (problem.code === 'PROVIDER_FILE_INVALID' || problem.path === '') return problem;
    return { ...problem, path: `${placeOf(problem.path)} ${problem.path}` };
  }),
});
