// Which groups of rows were seen: the first place and digest of each. About 40 bytes a group outside the JavaScript heap, all that is kept of a dataset.

/** `first`: place of the group's first row (places.ts). `differs`: its content is another one. */
export interface Repeat {
  first: number;
  differs: boolean;
}

const NAME_BYTES = 16;
/** Only tells whether two rows of one group differ. */
const CONTENT_BYTES = 8;
const ENTRY_BYTES = NAME_BYTES + CONTENT_BYTES;
const EMPTY = -1;
/** Of the slots; more makes the search for a free one long. */
const FULLEST = 0.6;

/** A hash table of bytes: a Map of a million texts costs three times as much, and the collector looks at each of them again and again. */
export class Occurrences {
  private count = 0;
  /** Number of the entry in each slot; a power of two of them. */
  private slots = new Int32Array(1024).fill(EMPTY);
  /** The name of each group and the digest of its first row. */
  private entries = Buffer.alloc(512 * ENTRY_BYTES);
  private places = new Uint32Array(512);

  /** Null for the first row of a group, else how this one repeats it. */
  add(group: string, digest: string, place: number): Repeat | null {
    const name = nameOf(group);
    const slot = this.slotOf(name);
    const present = this.slots[slot]!;
    const content = Buffer.from(digest.slice(0, 2 * CONTENT_BYTES), 'hex');
    if (present !== EMPTY) {
      const at = present * ENTRY_BYTES + NAME_BYTES;
      const differs = content.compare(this.entries, at, at + CONTENT_BYTES) !== 0;
      return { first: this.places[present]!, differs };
    }
    if (this.count === this.places.length) this.grow();
    name.copy(this.entries, this.count * ENTRY_BYTES);
    content.copy(this.entries, this.count * ENTRY_BYTES + NAME_BYTES);
    this.places[this.count] = place;
    this.slots[slot] = this.count;
    this.count += 1;
    if (this.count > this.slots.length * FULLEST) this.spread();
    return null;
  }

  /** First place of a group, or null. */
  placeOf(group: string): number | null {
    const present = this.slots[this.slotOf(nameOf(group))]!;
    return present === EMPTY ? null : this.places[present]!;
  }

  /** The slot that holds the name, or the free one where it belongs. Names are digests: their first bytes are as good as random. */
  private slotOf(name: Buffer): number {
    const last = this.slots.length - 1;
    for (let slot = name.readUInt32LE(0) & last; ; slot = (slot + 1) & last) {
      const present = this.slots[slot]!;
      const at = present * ENTRY_BYTES;
      if (present === EMPTY || name.compare(this.entries, at, at + NAME_BYTES) === 0) return slot;
    }
  }

  private grow(): void {
    const entries = Buffer.alloc(this.entries.length * 2);
    this.entries.copy(entries);
    this.entries = entries;
    const places = new Uint32Array(this.places.length * 2);
    places.set(this.places);
    this.places = places;
  }

  private spread(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(EMPTY);
    for (let entry = 0; entry < this.count; entry++) {
      const at = entry * ENTRY_BYTES;
      this.slots[this.slotOf(this.entries.subarray(at, at + NAME_BYTES))] = entry;
    }
  }
}

/** 128 bits of an identity `k:<hex>` or of a content digest. */
const nameOf = (group: string): Buffer => {
  const start = group.indexOf(':') + 1;
  return Buffer.from(group.slice(start, start + 2 * NAME_BYTES), 'hex');
};
