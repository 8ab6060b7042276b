// Places of records as one number each, and as words: a line, and its file where the dataset has several.
import type { RecordCursor } from './dataset-reader';

/** Lines of the files are numbered on from file to file, so that a place stays as small as a line. */
export class Places {
  /** Files in the order of reading, each with the highest place before it; one without a name when there is only one. */
  private readonly files: { name: string | null; before: number }[] = [];
  private last = 0;

  /** The place of a record; records come in source order. */
  of({ line, file }: RecordCursor): number {
    const name = file?.name ?? null;
    if (this.files.at(-1)?.name !== name) this.files.push({ name, before: this.last });
    this.last = this.files.at(-1)!.before + line;
    return this.last;
  }

  /** The line within its file, and the file's name in a dataset of several. */
  at(place: number): { line: number; file?: string } {
    const { name, before } = this.fileOf(place);
    return { line: place - before, ...(name === null ? {} : { file: name }) };
  }

  /** `line 4`, or `line 4 of b.csv`. */
  text(place: number): string {
    const { line, file } = this.at(place);
    return file === undefined ? `line ${line}` : `line ${line} of ${file}`;
  }

  /** `lines 2 and 4`, or `line 2 of a.csv and line 4 of b.csv`. */
  pair(one: number, other: number): string {
    const [first, second] = [this.at(one), this.at(other)];
    if (first.file === undefined) return `lines ${first.line} and ${second.line}`;
    return `${this.text(one)} and ${this.text(other)}`;
  }

  private fileOf(place: number): { name: string | null; before: number } {
    return this.files.findLast(({ before }) => before < place) ?? { name: null, before: 0 };
  }
}
