// Idempotency keys of one provider: one key is answered and charged once, however often it is sent.
import type { Reply } from './reply';

interface StoredKey {
  /** Method, path and input of the first request. */
  fingerprint: string;
  /** Missing while that request is under way. */
  answer?: Reply;
}

export type KeyState =
  | { kind: 'new' }
  | { kind: 'in_progress' }
  | { kind: 'mismatch' }
  | { kind: 'answered'; answer: Reply };

export class IdempotencyKeys {
  private readonly stored = new Map<string, StoredKey>();

  /** What is known of a key for this request. */
  look(key: string, fingerprint: string): KeyState {
    const found = this.stored.get(key);
    if (!found) return { kind: 'new' };
    if (found.fingerprint !== fingerprint) return { kind: 'mismatch' };
    return found.answer ? { kind: 'answered', answer: found.answer } : { kind: 'in_progress' };
  }

  begin(key: string, fingerprint: string): void {
    this.stored.set(key, { fingerprint });
  }

  /** Keeps the answer for later requests with the key; without one the key is free again, since nothing was done under it. */
  end(key: string, answer: Reply | undefined): void {
    const found = this.stored.get(key);
    if (!found) return;
    if (answer) found.answer = answer;
    else this.stored.delete(key);
  }
}
