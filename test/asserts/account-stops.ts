// Asserts about accounts that a person must mend, and about refusals that mean nothing but their own row.
import type { CallOutcome } from '../../contracts/outcomes';
import { FIRST_CURSOR } from '../../contracts/outcomes';
import { ledgerEntry, rowOutcome } from '../../workflows/row-outcome';
import { eventually } from '../helpers/eventually';
import { answerOfCase, CallLab, ok } from './call-lab';
import { type Checks, withLab } from './checks';

/** Status of a row whose only call ended so before it was sent. */
function statusOf(outcome: CallOutcome): string {
  if (outcome.kind !== 'rejected') return outcome.kind;
  const tool = { tool: 'other.call', provider: 'other', account: 'one' };
  const request = { column: 'c', tool } as Parameters<typeof ledgerEntry>[0];
  const entry = ledgerEntry(request, { ...outcome, holds: [] } as unknown as Parameters<typeof ledgerEntry>[1]);
  const error = { code: outcome.code, message: outcome.message, column: 'c', repairable: true };
  const state = { identity: 'k:1', ordinal: 0, cells: {}, skipped: [], ledger: [entry] };
  return rowOutcome(state, { kind: 'failed', error }).status;
}

/** The first call meets the refusal; what the next twenty send is counted. */
const requestsAfter: Checks[string] = (one) =>
  withLab(CallLab.open(one), async (lab) => {
    await lab.dispatch();
    for (let call = 0; call < 20; call++) await lab.dispatch({ rowIdentity: `k:${call}` });
    return { requestsAfter: lab.requests.length - 1 };
  });

/** A provider that answers its first request as the case says, and all others well. */
function openRefusedOnce(one: Parameters<Checks[string]>[0]): Promise<CallLab> {
  const first = answerOfCase(one);
  return CallLab.open(one, {
    answer: (response, number, request) => (number === 1 ? first : ok)(response, number, request),
  });
}

/** The first call meets the refusal of its row; another call of the account goes on. */
const scopeHeld: Checks[string] = (one) => {
  return withLab(openRefusedOnce(one), async (lab) => {
    await lab.send();
    const isFree = lab.gate().closedUntilMs() === null && (await lab.send(FIRST_CURSOR)) !== null;
    return { scopeHeld: isFree && lab.requests.length === 2 ? 'none' : 'account' };
  });
};

export const ACCOUNT_STOPS: Checks = {
  E01: requestsAfter,
  E20: requestsAfter,
  E25: requestsAfter,
  F19: requestsAfter,
  E35: scopeHeld,
  E47: scopeHeld,

  /** 999 rows wait for the only permit while the first call is under way. */
  G18: (one) => {
    let answerFirst = () => {};
    const lab = CallLab.open(one, {
      concurrency: 1,
      answer: (response, number, request) => {
        answerFirst = () => answerOfCase(one)(response, number, request);
      },
    });
    return withLab(lab, async (lab) => {
      const first = lab.dispatch();
      await eventually(
        async () => lab.requests.length,
        (count) => count === 1,
      );
      const others = Array.from({ length: 999 }, (_, row) => lab.dispatch({ rowIdentity: `k:w${row}` }));
      await eventually(
        async () => lab.gate().snapshot().waiting,
        (waiting) => waiting === 999,
      );
      answerFirst();
      await first;
      const statuses = new Set((await Promise.all(others)).map(statusOf));
      return { untouchedRows: [...statuses].join(', '), requestsAfter: lab.requests.length - 1 };
    });
  },

  /** A key of the same provider that nobody limited. */
  G12: (one) => {
    return withLab(openRefusedOnce(one), async (lab) => {
      await lab.dispatch();
      const held = await lab.dispatch();
      const other = await lab.dispatch({ account: 'two' });
      if (held.kind !== 'hold') throw new Error(`the limited key was not held: ${JSON.stringify(held)}`);
      return { otherAuthHeld: other.kind === 'completed' ? 0 : 1 };
    });
  },

  /** Calls that are held give their activities back at once: another provider's rows run in their place. */
  G17: (one) =>
    withLab(CallLab.open(one), async (held) => {
      const rows = Array.from({ length: 4 }, (_, row) => held.dispatch({ rowIdentity: `k:h${row}` }));
      const kinds = (await Promise.all(rows)).map(({ kind }) => kind);
      if (kinds.some((kind) => kind !== 'hold')) throw new Error(`expected holds, got ${kinds.join(', ')}`);
      return withLab(CallLab.open(one, { answer: ok }), async (other) => {
        const ends = await Promise.all(
          Array.from({ length: 20 }, (_, row) => other.dispatch({ rowIdentity: `k:o${row}` })),
        );
        return { otherProviderRowsDone: ends.filter(({ kind }) => kind === 'completed').length };
      });
    }),

  /** A method of its own limit: the other methods of the account go on. */
  D33: (one) => {
    return withLab(openRefusedOnce(one), async (lab) => {
      await lab.dispatch();
      const held = await lab.dispatch();
      if (held.kind !== 'hold') throw new Error(`the limited method was not held: ${JSON.stringify(held)}`);
      const other = await lab.dispatch({ tool: 'other.read' });
      return { otherMethodsHeld: other.kind === 'completed' ? 0 : 1 };
    });
  },
};
