// Names as identifiers of SQL.
import { escapeIdentifier } from 'pg';

/** Quoted whatever it holds. */
export const sqlName = (name: string): string => escapeIdentifier(name);
