// Under which identities a shared call is known.

/** `receiptKey`: which answer it is, 64 hex digits. `billingKey`: what its billing requests are made of; differs when the answer is bought anew. */
export interface SharedKeys {
  receiptKey: string;
  billingKey: string;
}
