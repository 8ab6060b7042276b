// A few things that are started when they are needed, used by one at a time, and replaced when they have ended.

export interface Pool<Thing> {
  /** A free one, or a new one while there are fewer than allowed; else in turn. Rejects when a new one does not start. */
  take(start: () => Promise<Thing>): Promise<Thing>;
  /** `null`: it has ended, and whoever waits longest starts another one in its place. */
  giveBack(thing: Thing | null): void;
}

export function createPool<Thing>(most: number): Pool<Thing> {
  const idle: Thing[] = [];
  const waiting: ((thing: Thing | null) => void)[] = [];
  let count = 0;

  const giveBack = (thing: Thing | null): void => {
    const next = waiting.shift();
    if (next) next(thing);
    else if (thing) idle.push(thing);
    else count -= 1;
  };
  return {
    async take(start) {
      const free = idle.pop();
      if (free) return free;
      if (count < most) count += 1;
      else {
        const handed = await new Promise<Thing | null>((resolve) => waiting.push(resolve));
        if (handed) return handed;
      }
      try {
        return await start();
      } catch (error) {
        giveBack(null);
        throw error;
      }
    },
    giveBack,
  };
}
