// Queries whose values stay the text that the database sent: no type parser may round or shift them.
import type { Client, FieldDef } from 'pg';

const AS_TEXT = { getTypeParser: () => (text: string) => text };

export interface RawResult {
  rows: (string | null)[][];
  fields: FieldDef[];
}

/** One statement in the extended protocol, which refuses a second one hidden behind a semicolon. */
export async function rawRows(client: Client, text: string, values: (string | null)[] = []): Promise<RawResult> {
  const query = { text, values, rowMode: 'array' as const, queryMode: 'extended', types: AS_TEXT };
  const { rows, fields } = await client.query(query);
  return { rows: rows as (string | null)[][], fields };
}
