// `sluice spec`: prints the JSON that the Temporal CLI takes as input of a map.
import type { Command } from 'commander';
import { loadSpec } from './load-spec';
import { printJson } from './shell';
import type { SpecFlags } from './spec-flags';
import { type CommonFlags, newVerb, runVerb, type VerbContext, wholeNumberFlag } from './verb';

export function specVerb(context: VerbContext): Command {
  return newVerb(
    'spec <file>',
    'print a spec as JSON for the Temporal CLI',
    'Checks a spec and prints it as JSON, its relative paths made absolute from the folder of the file. Needs no server.',
    [
      'sluice spec companies.map.yaml > companies.json',
      'temporal workflow start --task-queue sluice --type datasetMap --workflow-id w1 --input-file companies.json',
    ],
  )
    .option('--limit <rows>', 'only the first rows of the dataset', wholeNumberFlag(1, Number.MAX_SAFE_INTEGER))
    .option('--overwrite', 'replace tables that exist')
    .action((file: string, flags: CommonFlags & SpecFlags) =>
      runVerb(context, flags, async () => {
        printJson(context.shell, loadSpec(file, flags, context.shell.cwd).argument);
        return 0;
      }),
    );
}
