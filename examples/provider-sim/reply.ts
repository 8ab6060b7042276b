// What a client gets, as plain data: the decision makes it, deliver.ts puts it on the wire.
import type { Json } from '../../contracts/outcomes';

/** How the reply leaves: in full, half of its body, a TCP reset instead, or never. */
export type Delivery = 'whole' | 'cut' | 'reset' | 'hang';

export interface Reply {
  status: number;
  /** In order; a name may come several times. */
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
  delivery: Delivery;
}

/** A JSON answer with these extra headers. */
export function jsonReply(status: number, value: Json, headers: Reply['headers'] = []): Reply {
  const body = `${JSON.stringify(value)}\n`;
  return { status, headers: [['content-type', 'application/json'], ...headers], body, delivery: 'whole' };
}

/** An error body in the simulator's one form: `{ error: { code, message, … } }`. */
export function errorReply(
  status: number,
  code: string,
  message: string,
  extra: { headers?: Reply['headers']; fields?: { [name: string]: Json } } = {},
): Reply {
  return jsonReply(status, { error: { code, message, ...extra.fields } }, extra.headers);
}

/** The documented answer for an input that the provider knows nothing about. */
export function missReply(): Reply {
  return errorReply(404, 'not_found', 'no record for this input');
}
