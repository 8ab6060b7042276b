// What doctor says of one thing: how well it is, and what to do.

export interface Finding {
  /** `action` makes doctor end with exit code 1; `warning` is advice. */
  level: 'ok' | 'note' | 'warning' | 'action';
  about: 'server' | 'namespace' | 'fair share' | 'worker' | 'gate' | 'map';
  message: string;
  /** What to do, and where one line can do it, that line. */
  fix?: string;
}
