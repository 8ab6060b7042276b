// Judges the facts that doctor collected: what is well, what to know, what needs action, and the fix for each.
import { ADVISED_RETENTION_MS, QUERY_TIMEOUT_MS } from '../contracts/limits';
import type { DoctorFacts } from './doctor-facts';
import type { Finding } from './finding';
import { counted, duration } from './format';
import { gateFindings } from './gates/gate-findings';
import { type PendingFailure, pendingLine } from './pending-failures';
import type { Poller } from './pollers';
import { parseWorkerIdentity, unservedProviders } from './worker-identity';

export function doctorFindings(facts: DoctorFacts): Finding[] {
  return [
    { level: 'ok', about: 'server', message: `Temporal server ${facts.serverVersion} answers at ${facts.address}` },
    retention(facts),
    fairShare(facts),
    ...workers(facts),
    ...gateFindings(facts),
    ...openMaps(facts),
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

function workers({ workers: pollers, taskQueue, takenAtMs, ...asked }: DoctorFacts): Finding[] {
  if (pollers.length === 0) {
    return [
      {
        level: 'action',
        about: 'worker',
        message: `no worker polls task queue "${taskQueue}": maps that are started wait`,
        fix: './temporal-dev.sh worker',
      },
    ];
  }
  return [...pollers.map((poller) => workerFinding(poller, taskQueue, takenAtMs)), ...deaf(pollers, takenAtMs, asked)];
}

function workerFinding({ identity, lastAccessMs }: Poller, taskQueue: string, nowMs: number): Finding {
  const worker = parseWorkerIdentity(identity);
  if (worker === null) {
    return {
      level: 'warning',
      about: 'worker',
      message: `${identity} polls task queue "${taskQueue}", and which providers it serves cannot be told from its identity`,
      fix: 'start workers with ./temporal-dev.sh worker, whose identity names their providers',
    };
  }
  const who = `worker ${worker.host} pid ${worker.pid}, last seen ${duration(nowMs - lastAccessMs)} ago,`;
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

function openMaps({ openMaps: maps, moreMaps, workers: pollers }: DoctorFacts): Finding[] {
  const findings: Finding[] = [];
  const identities = pollers.map((poller) => poller.identity);
  for (const { mapId, providers, failing } of maps) {
    findings.push(...failing.map(failingFinding));
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

const failingFinding = (failure: PendingFailure): Finding => ({
  level: 'action',
  about: 'map',
  message: pendingLine(failure),
  fix: 'mend what the message names; it goes on by itself',
});

/**
 * A worker that was killed is remembered by the server for minutes. What nobody answered, while nobody has polled since
 * for longer than an answer takes, nobody will answer.
 */
function deaf(
  pollers: readonly Poller[],
  nowMs: number,
  { openMaps: maps, gates }: Pick<DoctorFacts, 'openMaps' | 'gates'>,
): Finding[] {
  const silent = [
    ...maps.filter(({ providers }) => providers === null).map(({ mapId }) => `map ${mapId}`),
    ...gates.filter(({ answer }) => answer.kind === 'silent').map(({ gate }) => `gate ${gate}`),
  ];
  const agoMs = nowMs - Math.max(...pollers.map(({ lastAccessMs }) => lastAccessMs));
  if (silent.length === 0 || agoMs < QUERY_TIMEOUT_MS) return [];
  return [
    {
      level: 'action',
      about: 'worker',
      message: `no worker answers for ${silent.join(', ')}, and the last one was seen ${duration(agoMs)} ago: it was killed, hangs or is cut off from the server`,
      fix: './temporal-dev.sh worker',
    },
  ];
}

function fairShare({ fairness, address }: DoctorFacts): Finding {
  const about = 'fair share';
  if (fairness.kind === 'fair') {
    return {
      level: 'ok',
      about,
      message: 'the server shares queues fairly between maps: a small one is not behind a large one',
    };
  }
  if (fairness.kind === 'unknown') {
    return {
      level: 'note',
      about,
      message: `whether the server shares queues fairly between maps could not be seen: ${fairness.reason}`,
    };
  }
  return {
    level: 'warning',
    about,
    message: `the server at ${address} gives calls out in their order: a small map waits behind a large one of the same provider`,
    fix: 'set matching.useNewMatcher and matching.enableFairness to true in its dynamic configuration, as ./temporal-dev.sh does',
  };
}
