// One signal out of several that leaves nothing behind on those that live on.
import { getEventListeners } from 'node:events';
import { joinSignals } from '../../activities/joined-signal';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('it aborts with the first source and its reason, whichever that is', () => {
  for (const first of [0, 1]) {
    const sources = [new AbortController(), new AbortController()];
    const { signal } = joinSignals(sources.map((source) => source.signal));
    expect(signal.aborted).toBe(false);
    sources[first]?.abort('first');
    sources[1 - first]?.abort('second');
    expect(signal.reason).toBe('first');
    expect(sources.map((source) => listenersOf(source.signal))).toEqual([0, 0]);
  }
});

test('of a source that is aborted already it is aborted from the start', () => {
  const stopping = new AbortController();
  const { signal } = joinSignals([stopping.signal, AbortSignal.abort('before')]);
  expect(signal.reason).toBe('before');
  expect(listenersOf(stopping.signal)).toBe(0);
});

test('a released signal is unknown to a source that lives on, and hears nothing of it any more', () => {
  const stopping = new AbortController();
  const joined = Array.from({ length: 10 }, () => joinSignals([new AbortController().signal, stopping.signal]));
  expect(listenersOf(stopping.signal)).toBe(10);
  for (const { release } of joined) release();
  expect(listenersOf(stopping.signal)).toBe(0);
  stopping.abort();
  expect(joined.some(({ signal }) => signal.aborted)).toBe(false);
});
