// `sluice doctor`: checks server, namespace, workers and open maps, and says how to mend what it finds.
import type { Command } from 'commander';
import { connectionSettings } from './connection-settings';
import { doctorFacts } from './doctor-facts';
import { doctorFindings } from './doctor-findings';
import { EXIT } from './exit-codes';
import type { Finding } from './finding';
import { withServer } from './server';
import { print, printJson } from './shell';
import { type CommonFlags, newVerb, runVerb, type VerbContext } from './verb';

export function doctorVerb(context: VerbContext): Command {
  const { shell } = context;
  return newVerb(
    'doctor',
    'check server, namespace, workers and open maps',
    'Looks at everything a map needs and names the fix for what is missing. Changes nothing: two workflows of its own, which show whether the server is fair, are deleted again.',
    ['sluice doctor', 'sluice doctor --address temporal.internal:7233 --namespace growth --json'],
  ).action((flags: CommonFlags) =>
    runVerb(context, flags, () =>
      withServer(connectionSettings(flags, shell.env), async (server) => {
        const facts = await doctorFacts(server, shell.now);
        const findings = doctorFindings(facts);
        if (flags.json) printJson(shell, { ...facts, findings });
        else print(shell, ...findings.flatMap(findingLines));
        return findings.some((finding) => finding.level === 'action') ? EXIT.failed : EXIT.ok;
      }),
    ),
  );
}

const findingLines = ({ level, message, fix }: Finding): string[] => [
  `${level.toUpperCase().padEnd(8)} ${message}`,
  ...(fix === undefined ? [] : [`         fix: ${fix}`]),
];
