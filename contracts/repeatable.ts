// Which calls may be sent again when nobody knows what became of them: one rule for workflows and activities.

interface CallCost {
  /** The provider charges one idempotency key once. */
  idempotent: boolean;
  price: number;
  effect: 'read' | 'write';
}

/** True when a second request could be charged or written twice: such a call is marked before it is sent (rule 7). */
export const isUnrepeatable = ({ idempotent, price, effect }: CallCost): boolean =>
  !idempotent && (price > 0 || effect === 'write');

/** True when repeating it costs and changes nothing. */
export const isFree = ({ price, effect }: Pick<CallCost, 'price' | 'effect'>): boolean =>
  price === 0 && effect === 'read';
