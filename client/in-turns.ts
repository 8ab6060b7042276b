// Runs an asynchronous function over many items with a bound on how many are under way.

/**
 * Results in the order of `items`; the first error ends it. Once `enough` says so no further item is begun, and the results
 * are those of the first items only.
 */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<Result>,
  enough: () => boolean = () => false,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length && !enough()) {
      const index = next++;
      results[index] = await run(items[index] as Item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return results;
}
