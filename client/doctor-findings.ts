// Judges the facts that doctor collected: what is well, what to know, what needs action, and the fix for each.
import { ADVISED_RETENTION_MS } from '../contracts/limits';
import type { DoctorFacts } from './doctor-facts';
import { counted, duration } from './format';
import { parseWorkerIdentity, unservedProviders } from './worker-identity';

export interface Finding {
  /** `action` makes doctor end with exit code 1; `warning` is advice. */
  level: 'ok' | 'note' | 'warning' | 'action';
  about: 'server' | 'namespace' | 'worker' | 'map' | 'settings';
  message: string;
  /** What to do, and where one line can do it, that line. */
  fix?: string;
}

export function doctorFindings(facts: DoctorFacts): Finding[] {
  return [
    { level: 'ok', about: 'server', message: `Temporal server ${facts.serverVersion} answers at ${facts.address}` },
    retention(facts),
    ...workers(facts),
    ...openMaps(facts),
    unseenSettings(),
  ];
}

function retention({ namespace, retentionMs }: DoctorFacts): Finding {
  const kept = `namespace "${namespace}" keeps closed workflows, and with them receipts, for ${duration(retentionMs)}`;
  if (retentionMs >= ADVISED_RETENTION_MS) return { level: 'ok', about: 'namespace', message: kept };
  return {
    level: 'warning',
    about: 'namespace',
    message: `${kept}; an answer bought before that is bought again`,
    fix: `temporal operator namespace update --namespace ${namespace} --retention 30d   (on Temporal Cloud: in the console)`,
  };
}

function workers({ workers: identities, taskQueue }: DoctorFacts): Finding[] {
  if (identities.length === 0) {
    return [
      {
        level: 'action',
        about: 'worker',
        message: `no worker polls task queue "${taskQueue}": maps that are started wait`,
        fix: './temporal-dev.sh worker',
      },
    ];
  }
  return identities.map((identity) => workerFinding(identity, taskQueue));
}

function workerFinding(identity: string, taskQueue: string): Finding {
  const worker = parseWorkerIdentity(identity);
  if (worker === null) {
    return {
      level: 'warning',
      about: 'worker',
      message: `${identity} polls task queue "${taskQueue}", and which providers it serves cannot be told from its identity`,
      fix: 'start workers with ./temporal-dev.sh worker, whose identity names their providers',
    };
  }
  const who = `worker ${worker.host} pid ${worker.pid}`;
  if (worker.providers.length > 0) {
    return { level: 'ok', about: 'worker', message: `${who} serves ${worker.providers.join(', ')}` };
  }
  return {
    level: 'action',
    about: 'worker',
    message: `${who} serves no provider: every tool call waits`,
    fix: 'put provider files where the worker looks for them, and start it again',
  };
}

function openMaps({ openMaps: maps, moreMaps, workers: identities }: DoctorFacts): Finding[] {
  const findings: Finding[] = [];
  for (const { mapId, providers } of maps) {
    if (providers === null) {
      if (identities.length > 0) findings.push(unanswered(mapId));
      continue;
    }
    for (const provider of unservedProviders(identities, providers) ?? []) {
      findings.push({
        level: 'action',
        about: 'map',
        message: `map ${mapId} uses ${provider}, and no live worker serves it: its calls wait`,
        fix: `start a worker that has the file of provider "${provider.split('.')[0]}" with this account, or cancel: sluice cancel ${mapId}`,
      });
    }
  }
  if (findings.length === 0 && maps.length > 0 && identities.length > 0) {
    findings.push({
      level: 'ok',
      about: 'map',
      message: `${counted(maps.length, 'open map')}, each provider is served`,
    });
  }
  if (moreMaps) {
    findings.push({ level: 'note', about: 'map', message: `only the latest ${maps.length} open maps were looked at` });
  }
  return findings;
}

const unanswered = (mapId: string): Finding => ({
  level: 'warning',
  about: 'map',
  message: `map ${mapId} runs, but no worker answered for it in time`,
  fix: `look again, then see what it waits for: temporal workflow describe -w ${mapId}`,
});

/** The API shows no dynamic configuration: saying nothing would look like having checked it. */
const unseenSettings = (): Finding => ({
  level: 'note',
  about: 'settings',
  message:
    'dynamic configuration cannot be read from here: matching.useNewMatcher and matching.enableFairness (fair share between maps) were not checked',
  fix: './temporal-dev.sh sets them; on a server of your own put them into its dynamic configuration file',
});
