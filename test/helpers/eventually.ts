// Looks until what is seen is as wanted: for facts that nobody announces, such as a query's answer. The test's time limit ends it.
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;

/** The first sight that `isWanted`. A look that throws counts as not seen yet, and its error is told when the time is over. */
export async function eventually<Sight>(
  look: () => Promise<Sight>,
  isWanted: (sight: Sight) => boolean,
  withinMs = 30_000,
): Promise<Sight> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const sight = await look().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if ('value' in sight && isWanted(sight.value)) return sight.value;
    if (Date.now() > deadline) throw new Error(`not seen within ${withinMs} ms; last seen: ${shown(sight)}`);
    await pause(LOOK_EVERY_MS);
  }
}

const shown = (sight: { value: unknown } | { error: unknown }): string =>
  'value' in sight ? (JSON.stringify(sight.value) ?? 'nothing').slice(0, 1000) : String(sight.error);
