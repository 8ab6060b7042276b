// Which fault strikes a request, and what it makes of the good answer.
import { draw } from './draw';
import type { FaultKind, FaultRule } from './options';
import { errorReply, missReply, type Reply } from './reply';

export interface Try {
  /** Seed of the simulator and name of the provider. */
  seed: string;
  input: { [name: string]: unknown };
  inputKey: string;
  /** How many-th try of this input it is, from 1. */
  tryNumber: number;
  /** How many-th admitted request of the provider it is, from 1. */
  requestNumber: number;
}

/** The first rule that strikes, in the order given. A rate draws by input and try, so the order of arrival changes nothing. */
export function pickFault(rules: readonly FaultRule[], one: Try): FaultKind | undefined {
  return rules.find(
    (rule, index) => one.tryNumber <= (rule.times ?? Number.POSITIVE_INFINITY) && strikes(rule, index, one),
  )?.kind;
}

function strikes(rule: FaultRule, index: number, one: Try): boolean {
  if (rule.requests) return rule.requests.includes(one.requestNumber);
  if (rule.inputs) return Object.values(one.input).some((value) => rule.inputs?.some((wanted) => wanted === value));
  return draw(one.seed, 'fault', index, one.inputKey, one.tryNumber) < (rule.rate ?? 0);
}

/** A struck request: what leaves, and whether the work behind it was done and charged. */
export interface Struck {
  reply: Reply;
  charged: boolean;
}

/** What the fault makes of the answer that the request would have got. */
export function strike(kind: FaultKind, good: Reply): Struck {
  switch (kind) {
    case 'error-before-charge':
    case 'error-after-charge':
      return {
        reply: errorReply(500, 'internal', 'something went wrong on our side'),
        charged: kind === 'error-after-charge',
      };
    case 'reset-before-charge':
    case 'reset-after-charge':
      return { reply: { ...good, delivery: 'reset' }, charged: kind === 'reset-after-charge' };
    case 'hang-before-charge':
    case 'hang-after-charge':
      return { reply: { ...good, delivery: 'hang' }, charged: kind === 'hang-after-charge' };
    case 'in-progress-after-charge':
      return {
        reply: errorReply(409, 'EXECUTION_IN_PROGRESS', 'the request with this key is worked on'),
        charged: true,
      };
    case 'cut-body':
      return { reply: { ...good, delivery: 'cut' }, charged: true };
    case 'wrong-content-type':
      return {
        reply: { ...good, headers: [['content-type', 'text/html']], body: '<html><body>Welcome</body></html>\n' },
        charged: true,
      };
    case 'malformed-json':
      return { reply: { ...good, body: good.body.slice(0, -4) }, charged: true };
    case 'miss':
      return { reply: missReply(), charged: false };
    case 'needs-credits':
      return { reply: errorReply(402, 'insufficient_credits', 'the account has no credits left'), charged: false };
  }
}
