// What doctor makes of the gates: accounts that a person must mend, that are paused, closed, or whose worker has gone silent.
import type { DoctorFacts } from '../doctor-facts';
import type { Finding } from '../finding';
import { clock, duration } from '../format';
import { gateFacts } from './gate-facts';
import type { NamedGate } from './read-gates';

/** Nothing for a gate that is open or was never used. */
export const gateFindings = ({ gates, takenAtMs }: Pick<DoctorFacts, 'gates' | 'takenAtMs'>): Finding[] =>
  gates.flatMap((gate) => findingsOf(gate, takenAtMs));

function findingsOf({ gate, answer }: NamedGate, nowMs: number): Finding[] {
  if (answer.kind !== 'status') return [];
  const { needsPerson } = answer.status;
  const { paused, closedUntilMs, silent } = gateFacts(answer.status, nowMs);
  const findings: Finding[] = [];
  const add = (level: Finding['level'], message: string, fix?: string): void => {
    findings.push({
      level,
      about: 'gate',
      message: `account ${gate} ${message}`,
      ...(fix === undefined ? {} : { fix }),
    });
  };
  if (needsPerson) {
    const since = clock(needsPerson.sinceMs, nowMs);
    add(
      'action',
      `needs a person since ${since}: ${needsPerson.message}`,
      `mend the key or pay, then: sluice gate resume ${gate}`,
    );
  }
  if (paused) add('warning', 'is paused by a person: no map is served', `sluice gate resume ${gate}`);
  if (closedUntilMs !== null) add('note', `is closed until ${clock(closedUntilMs, nowMs)}; maps go on by themselves`);
  for (const { worker, leaseEndsAtMs } of silent) {
    add(
      'action',
      `was leased to worker ${worker}, which is silent since ${duration(nowMs - leaseEndsAtMs)}: it was killed, hangs or is cut off`,
      'start it again: ./temporal-dev.sh worker; its part of the limits is free for the others',
    );
  }
  return findings;
}
