// How many rows a dataset has, and what names one.

/** Numbers fixed at admission (design 5): `sourceRows = rejectedRows + uniqueInputRows + duplicateOccurrences`. */
export interface Cardinality {
  sourceRows: number;
  rejectedRows: number;
  uniqueInputRows: number;
  duplicateOccurrences: number;
  /** Duplicates whose content differs from the first occurrence. */
  conflicts: number;
  /** Rows of the table, known at the end. */
  outputRows: number | null;
  rowIdentity: 'key' | 'source_row';
}
