// Cuts admitted rows into pages by rows and JSON bytes; a page always holds at least one row. One is written while the next is read.
import { PageText } from './page-text';

export class Pager {
  readonly pageRows: number[] = [];
  /** The page that is filled, and the one that is written: two buffers for a dataset of any size. */
  private filling = new PageText();
  private written = new PageText();
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly limits: { pageRows: number; pageBytes: number },
    /** `text`: JSON Lines, valid until the promise settles. */
    private readonly onPage: (page: number, text: Buffer) => Promise<void>,
  ) {}

  /** `row`: its JSON text. */
  async add(row: string): Promise<void> {
    const full =
      this.filling.rows >= this.limits.pageRows ||
      this.filling.bytes + Buffer.byteLength(row) + 2 > this.limits.pageBytes;
    if (full && this.filling.rows > 0) await this.startPage();
    this.filling.add(row);
  }

  /** Gives the last, shorter page, and waits until all are written; no empty page is ever given. */
  async flush(): Promise<void> {
    if (this.filling.rows > 0) await this.startPage();
    await this.writing;
  }

  /** Waits for the page that is being written, however that ends: for admissions that failed. */
  async settle(): Promise<void> {
    await this.writing.catch(() => undefined);
  }

  private async startPage(): Promise<void> {
    await this.writing;
    const page = this.filling;
    this.filling = this.written;
    this.filling.clear();
    this.written = page;
    this.writing = this.onPage(this.pageRows.length, page.text());
    this.writing.catch(() => undefined); // told to whoever waits for it next
    this.pageRows.push(page.rows);
  }
}
