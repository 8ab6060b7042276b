// A file that appears whole or not at all: written beside its place, made durable, renamed.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FILE_CHUNK_BYTES } from '../../contracts/limits';
import { makeFolder, syncFolder } from '../store/durable-file';
import { OutputError } from './sink';

export interface OutputFileRequest {
  path: string;
  /** Run id: leftovers of the same owner are removed, those of others are left alone. */
  owner: string;
  overwrite: boolean;
  /** Opens the temporary file for writing; it must not exist yet. */
  openFile?: (path: string) => Promise<FileHandle>;
}

const createNew = (path: string): Promise<FileHandle> => open(path, 'wx');

/** Opens the temporary file in the folder of `path`, which is created when missing. OutputError OUTPUT_UNWRITABLE names what is in the way. */
export async function openOutputFile(request: OutputFileRequest): Promise<OutputFile> {
  const { path, owner, openFile = createNew } = request;
  const folder = dirname(path);
  const prefix = `.${basename(path)}.${owner.replace(/[^\w.-]/g, '_')}.`;
  try {
    await makeFolder(folder);
    await removeLeftovers(folder, prefix);
    // A name of its own: a slow earlier try of the same run can then never rename the file of this one.
    const temporary = join(folder, `${prefix}${randomUUID()}.tmp`);
    return new OutputFile(request, temporary, await openFile(temporary));
  } catch (error) {
    throw unwritable(path, error as NodeJS.ErrnoException);
  }
}

/** The error of a place that cannot be written to. */
export function unwritable(path: string, error: NodeJS.ErrnoException): OutputError {
  const message = `${path} cannot be written: ${error.message}; expected a folder that this process may write to`;
  return new OutputError('OUTPUT_UNWRITABLE', 'file', message, { cause: error });
}

async function removeLeftovers(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefix) && name.endsWith('.tmp')) await rm(join(folder, name), { force: true });
  }
}

export class OutputFile {
  private buffered: Buffer[] = [];
  private bufferedBytes = 0;
  private bytes = 0;
  private readonly hash = createHash('sha256');

  constructor(
    private readonly request: OutputFileRequest,
    private readonly temporary: string,
    private file: FileHandle | null,
  ) {}

  /** Waits for the disk once a chunk is full. OutputError E_SINK_IO when it fails; then only `abort` is left. */
  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.hash.update(bytes);
    this.bytes += bytes.length;
    this.bufferedBytes += bytes.length;
    this.buffered.push(bytes);
    if (this.bufferedBytes >= FILE_CHUNK_BYTES) await this.flush();
  }

  /** Makes the file durable and gives it its name. The same bytes from an earlier try are only confirmed; others are OUTPUT_EXISTS. */
  async finish(): Promise<{ path: string; bytes: number; sha256: string }> {
    const { path, overwrite } = this.request;
    await this.flush();
    await this.guard(async () => {
      await this.file?.sync();
      await this.close();
    });
    const written = { path, bytes: this.bytes, sha256: this.hash.digest('hex') };
    if (!overwrite && (await exists(path))) {
      await rm(this.temporary, { force: true });
      if ((await digestOf(path)) === written.sha256) return written;
      throw new OutputError('OUTPUT_EXISTS', 'file', `${path} exists with other content; move it away`);
    }
    await this.guard(async () => {
      await rename(this.temporary, path);
      await syncFolder(dirname(path));
    });
    return written;
  }

  async abort(): Promise<void> {
    this.buffered = [];
    await this.close().catch(() => undefined);
    await rm(this.temporary, { force: true });
  }

  private async flush(): Promise<void> {
    if (this.buffered.length === 0) return;
    const bytes = Buffer.concat(this.buffered);
    this.buffered = [];
    this.bufferedBytes = 0;
    await this.guard(async () => this.file?.writeFile(bytes));
  }

  private async close(): Promise<void> {
    const file = this.file;
    this.file = null;
    await file?.close();
  }

  private async guard(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      const message = `${this.request.path} could not be written: ${(error as Error).message}; expected room on its disk`;
      throw new OutputError('E_SINK_IO', 'file', message, { cause: error });
    }
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
