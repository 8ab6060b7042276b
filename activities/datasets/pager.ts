// Cuts admitted rows into pages by rows and JSON bytes; a page always holds at least one row. One is written while the next is read.
import type { AdmittedRow } from '../../contracts/plan';

export class Pager {
  readonly pageRows: number[] = [];
  private rows: AdmittedRow[] = [];
  private bytes = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly limits: { pageRows: number; pageBytes: number },
    private readonly onPage: (page: number, rows: AdmittedRow[]) => Promise<void>,
  ) {}

  /** `bytes`: of the row's JSON text. */
  async add(row: AdmittedRow, bytes: number): Promise<void> {
    const withSeparator = bytes + 1;
    const full = this.rows.length >= this.limits.pageRows || this.bytes + withSeparator + 1 > this.limits.pageBytes;
    if (full && this.rows.length > 0) await this.startPage();
    this.rows.push(row);
    this.bytes += withSeparator;
  }

  /** Gives the last, shorter page, and waits until all are written; no empty page is ever given. */
  async flush(): Promise<void> {
    if (this.rows.length > 0) await this.startPage();
    await this.writing;
  }

  /** Waits for the page that is being written, however that ends: for admissions that failed. */
  async settle(): Promise<void> {
    await this.writing.catch(() => undefined);
  }

  private async startPage(): Promise<void> {
    const page = this.rows;
    this.rows = [];
    this.bytes = 0;
    await this.writing;
    this.writing = this.onPage(this.pageRows.length, page);
    this.writing.catch(() => undefined); // told to whoever waits for it next
    this.pageRows.push(page.length);
  }
}
