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
/** Entries of one block; a power of two. Blocks are added and never copied: a table that doubles would leave as much garbage as it holds. */
const BLOCK_ENTRIES = 16_384;
/** Of the slots; more makes the search for a free one long. */
const FULLEST = 0.6;

/** A hash table of bytes: a Map of a million texts costs three times as much, and the collector looks at each of them again and again. */
export class Occurrences {
  private count = 0;
  /** Number of the entry in each slot; a power of two of them. */
  private slots = new Int32Array(1024).fill(EMPTY);
  /** The name of each group and the digest of its first row, block by block. */
  private readonly entries: Buffer[] = [];
  private readonly places: Uint32Array[] = [];

  /** Null for the first row of a group, else how this one repeats it. */
  add(group: string, digest: string, place: number): Repeat | null {
    const name = nameOf(group);
    const slot = this.slotOf(name);
    const present = this.slots[slot]!;
    const content = Buffer.from(digest.slice(0, 2 * CONTENT_BYTES), 'hex');
    if (present !== EMPTY) {
      const at = startOf(present) + NAME_BYTES;
      const differs = content.compare(this.blockOf(present), at, at + CONTENT_BYTES) !== 0;
      return { first: this.placeAt(present), differs };
    }
    if (this.count % BLOCK_ENTRIES === 0) this.grow();
    name.copy(this.blockOf(this.count), startOf(this.count));
    content.copy(this.blockOf(this.count), startOf(this.count) + NAME_BYTES);
    this.places.at(-1)![this.count % BLOCK_ENTRIES] = place;
    this.slots[slot] = this.count;
    this.count += 1;
    if (this.count > this.slots.length * FULLEST) this.spread();
    return null;
  }

  /** First place of a group, or null. */
  placeOf(group: string): number | null {
    const present = this.slots[this.slotOf(nameOf(group))]!;
    return present === EMPTY ? null : this.placeAt(present);
  }

  /** The slot that holds the name, or the free one where it belongs. Names are digests: their first bytes are as good as random. */
  private slotOf(name: Buffer): number {
    const last = this.slots.length - 1;
    for (let slot = name.readUInt32LE(0) & last; ; slot = (slot + 1) & last) {
      const present = this.slots[slot]!;
      if (present === EMPTY) return slot;
      const at = startOf(present);
      if (name.compare(this.blockOf(present), at, at + NAME_BYTES) === 0) return slot;
    }
  }

  private blockOf(entry: number): Buffer {
    return this.entries[Math.floor(entry / BLOCK_ENTRIES)]!;
  }

  private placeAt(entry: number): number {
    return this.places[Math.floor(entry / BLOCK_ENTRIES)]![entry % BLOCK_ENTRIES]!;
  }

  private grow(): void {
    this.entries.push(Buffer.allocUnsafeSlow(BLOCK_ENTRIES * ENTRY_BYTES));
    this.places.push(new Uint32Array(BLOCK_ENTRIES));
  }

  private spread(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(EMPTY);
    for (let entry = 0; entry < this.count; entry++) {
      const at = startOf(entry);
      this.slots[this.slotOf(this.blockOf(entry).subarray(at, at + NAME_BYTES))] = entry;
    }
  }
}

/** Where an entry begins in its block. */
const startOf = (entry: number): number => (entry % BLOCK_ENTRIES) * ENTRY_BYTES;

/** 128 bits of an identity `k:<hex>` or of a content digest. */
const nameOf = (group: string): Buffer => {
  const start = group.indexOf(':') + 1;
  return Buffer.from(group.slice(start, start + 2 * NAME_BYTES), 'hex');
};
