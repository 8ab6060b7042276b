// Writes companies.csv: tsx examples/companies/write-companies.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CompanyRow, companyRows } from './company-rows';

const HEADER: readonly (keyof CompanyRow)[] = ['domain', 'company', 'country', 'note'];
/** Data rows before the one blank line, which a reader skips and counts. */
const ROWS_BEFORE_BLANK = 150;

/** The file's text: UTF-8, LF, quotes only where a cell needs them. */
export function companiesCsv(): string {
  const lines = companyRows().map((row) => HEADER.map((name) => csvCell(row[name])).join(','));
  lines.splice(ROWS_BEFORE_BLANK, 0, '');
  return `${[HEADER.join(','), ...lines].join('\n')}\n`;
}

const csvCell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

if (require.main === module) writeFileSync(join(__dirname, 'companies.csv'), companiesCsv());
