// A signal that aborts with the first of several. Not AbortSignal.any: whatever that makes of a signal that lives as long as the
// process stays known to it for as long, some 60 bytes a call.

export interface JoinedSignal {
  signal: AbortSignal;
  /** Lets go of the sources; call it when nothing listens any more. */
  release(): void;
}

/** Aborted with the reason of the source that aborts first, at once when one of them is aborted already. */
export function joinSignals(sources: readonly AbortSignal[]): JoinedSignal {
  const joined = new AbortController();
  const release = () => {
    for (const source of sources) source.removeEventListener('abort', abort);
  };
  const abort = () => {
    release();
    joined.abort(sources.find(({ aborted }) => aborted)?.reason);
  };
  if (sources.some(({ aborted }) => aborted)) abort();
  else for (const source of sources) source.addEventListener('abort', abort);
  return { signal: joined.signal, release };
}
