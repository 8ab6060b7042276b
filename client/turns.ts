// A window over a list that is too long to be asked at once: it moves on with each look, so that each item gets its turn.

/** Gives at most `most` items of each list it is shown, going on where it stopped. */
export function takeTurns(most: number): <Item>(items: readonly Item[]) => Item[] {
  let first = 0;
  return (items) => {
    if (items.length <= most) return [...items];
    first = (first + most) % items.length;
    return [...items, ...items].slice(first, first + most);
  };
}
