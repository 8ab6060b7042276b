// JSON Lines of one page, in memory that is used again for the next: rows as objects would outlive two collections of young garbage, and fill the heap.

const FIRST_BYTES = 64 * 1024;

export class PageText {
  rows = 0;
  bytes = 0;
  private buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);

  /** `row`: its JSON text, without a line feed. */
  add(row: string): void {
    const needed = this.bytes + Buffer.byteLength(row) + 1;
    if (needed > this.buffer.length) this.grow(needed);
    this.bytes += this.buffer.write(row, this.bytes);
    this.bytes = this.buffer.writeUInt8(0x0a, this.bytes);
    this.rows += 1;
  }

  /** Valid until `clear`. */
  text(): Buffer {
    return this.buffer.subarray(0, this.bytes);
  }

  clear(): void {
    this.rows = 0;
    this.bytes = 0;
  }

  private grow(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * this.buffer.length));
    this.buffer.copy(larger, 0, 0, this.bytes);
    this.buffer = larger;
  }
}
