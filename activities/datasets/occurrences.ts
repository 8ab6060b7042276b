// Which groups of rows were seen: the first line and digest of each. About 150 bytes a group, all that is kept of a dataset.

/** `first`: line of the group's first row. `differs`: its content is another one. */
export interface Repeat {
  first: number;
  differs: boolean;
}

export class Occurrences {
  private readonly places = new Map<string, number>();
  private readonly lines: number[] = [];
  private readonly digests: string[] = [];

  /** Null for the first row of a group, else how this one repeats it. */
  add(group: string, digest: string, line: number): Repeat | null {
    const place = this.places.get(group);
    if (place !== undefined) return { first: this.lines[place]!, differs: this.digests[place] !== shorten(digest) };
    this.places.set(group, this.lines.length);
    this.lines.push(line);
    this.digests.push(shorten(digest));
    return null;
  }

  /** First line of a group, or null. */
  lineOf(group: string): number | null {
    const place = this.places.get(group);
    return place === undefined ? null : this.lines[place]!;
  }
}

/** 128 bits as 16 one-byte characters: a quarter of the memory of the hex digits. */
const shorten = (digest: string): string => Buffer.from(digest.slice(0, 32), 'hex').toString('latin1');
