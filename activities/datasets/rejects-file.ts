// JSON Lines of the records that were set aside, visible only when it is complete.
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { REJECT_RAW_BYTES } from '../../contracts/limits';
import { makeFolder, syncFolder } from '../store/durable-file';
import { DatasetError } from './dataset-error';
import type { SourceRecord } from './dataset-reader';

export class RejectsFile {
  count = 0;
  private file: FileHandle | null = null;
  private readonly temporary: string;
  readonly path: string;

  constructor(
    private readonly folder: string,
    private readonly maxRejects: number,
    private readonly isTrial = false,
  ) {
    this.temporary = join(folder, `.${randomUUID()}.tmp`);
    this.path = join(folder, 'rejects.jsonl');
  }

  /** `; /runs/june/rejects.jsonl says why`, or nothing when the file is not kept. */
  get where(): string {
    return this.isTrial ? '' : `; ${this.path} says why`;
  }

  /** Adds a record with its place, code, message and first bytes. E_TOO_MANY_REJECTS above `maxRejects`. */
  async add(record: SourceRecord, error: DatasetError): Promise<void> {
    this.count++;
    if (this.count > this.maxRejects) {
      const message = `more than maxRejects (${this.maxRejects}) records are bad; the last one: ${error.message}`;
      throw new DatasetError('E_TOO_MANY_REJECTS', 'file', message, error.at, { cause: error });
    }
    if (this.file === null) {
      await makeFolder(this.folder);
      this.file = await open(this.temporary, 'wx');
    }
    await this.file.writeFile(`${JSON.stringify(describe(record, error))}\n`);
  }

  /** Path of the finished file, or null when nothing was set aside: then none of an earlier try is left either. */
  async finish(): Promise<string | null> {
    if (this.file === null) {
      await rm(this.path, { force: true });
      return null;
    }
    await this.file.sync();
    await this.close();
    await rename(this.temporary, this.path);
    await syncFolder(this.folder);
    return this.path;
  }

  private async close(): Promise<void> {
    await this.file?.close();
    this.file = null;
  }

  /** Closes and removes what is not finished; harmless after `finish`. */
  async abort(): Promise<void> {
    await this.close();
    await rm(this.temporary, { force: true });
  }
}

const describe = ({ cursor, raw }: SourceRecord, error: DatasetError) => ({
  ...(cursor.file ? { file: cursor.file.name } : {}),
  line: cursor.line,
  byteOffset: cursor.byteOffset,
  ordinal: cursor.ordinal,
  code: error.code,
  message: error.message,
  raw: raw.subarray(0, REJECT_RAW_BYTES).toString('utf8'),
  rawBytes: raw.length,
});
