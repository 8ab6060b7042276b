// Looks until what is seen is as wanted: for facts that nobody announces, such as a query's answer. The test's time limit ends it.
import { setTimeout as pause } from 'node:timers/promises';

/** Looks become rarer: a hundred queries each time would hold up what they wait for. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/** The first sight that `isWanted`. A look that throws counts as not seen yet, and its error is told when the time is over. */
export async function eventually<Sight>(
  look: () => Promise<Sight>,
  isWanted: (sight: Sight) => boolean,
  withinMs = 30_000,
): Promise<Sight> {
  const deadline = Date.now() + withinMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)) {
    const sight = await look().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if ('value' in sight && isWanted(sight.value)) return sight.value;
    if (Date.now() > deadline) throw new Error(`not seen within ${withinMs} ms; last seen: ${shown(sight)}`);
    await pause(pauseMs);
  }
}

const shown = (sight: { value: unknown } | { error: unknown }): string =>
  'value' in sight ? (JSON.stringify(sight.value) ?? 'nothing').slice(0, 1000) : String(sight.error);
