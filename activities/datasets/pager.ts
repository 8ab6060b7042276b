// Cuts admitted rows into pages by rows and JSON bytes; a page always holds at least one row.
import type { AdmittedRow } from '../../contracts/plan';

export class Pager {
  readonly pageRows: number[] = [];
  private rows: AdmittedRow[] = [];
  private bytes = 0;

  constructor(
    private readonly limits: { pageRows: number; pageBytes: number },
    private readonly onPage: (page: number, rows: AdmittedRow[]) => Promise<void>,
  ) {}

  /** `bytes`: of the row's JSON text. */
  async add(row: AdmittedRow, bytes: number): Promise<void> {
    const withSeparator = bytes + 1;
    const full = this.rows.length >= this.limits.pageRows || this.bytes + withSeparator + 1 > this.limits.pageBytes;
    if (full) await this.flush();
    this.rows.push(row);
    this.bytes += withSeparator;
  }

  /** Gives the last, shorter page; no empty page is ever given. */
  async flush(): Promise<void> {
    if (this.rows.length === 0) return;
    const page = this.rows;
    this.rows = [];
    this.bytes = 0;
    await this.onPage(this.pageRows.length, page);
    this.pageRows.push(page.length);
  }
}
