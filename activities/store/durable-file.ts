// Files that survive a crash whole or not at all: temporary file, fsync, rename or link, fsync of the folder.
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Creates a folder and its parents so that they survive a crash. Step by step, since Node's own `recursive` never ends where a
 * folder is there and yet answers ENOENT to whoever makes another in it, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  const made = await makeOne(path);
  if (made === 'no parent') {
    if (dirname(path) !== path) await makeFolder(dirname(path));
    await mkdir(path).catch(ignoreCode('EEXIST'));
  }
  if (made !== 'there') await syncFolder(dirname(path));
}

async function makeOne(path: string): Promise<'made' | 'there' | 'no parent'> {
  try {
    await mkdir(path);
    return 'made';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'no parent';
    if ((await stat(path).catch(() => null))?.isDirectory()) return 'there';
    throw error;
  }
}

/** Makes the names in a folder durable; a rename alone may be lost with the power. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Writes or replaces a file in one step. The parent folder must exist. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  await throughTemporary(path, bytes, (temporary) => rename(temporary, path));
}

/** Writes a file that must not be there yet, in one step. False when it was there: then nothing changed. */
export async function createFile(path: string, bytes: Uint8Array): Promise<boolean> {
  let created = true;
  await throughTemporary(path, bytes, async (temporary) => {
    // A link fails on an existing name, so of two writers one wins; rename would let the later one replace.
    created = await link(temporary, path).then(() => true, ignoreCode('EEXIST'));
  });
  return created;
}

/** The bytes of a file, or null when there is none. */
export async function readIfPresent(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function throughTemporary(
  path: string,
  bytes: Uint8Array,
  publish: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await publish(temporary);
    await syncFolder(dirname(path));
  } finally {
    await rm(temporary, { force: true });
  }
}

const ignoreCode =
  (code: string) =>
  (error: NodeJS.ErrnoException): false => {
    if (error.code === code) return false;
    throw error;
  };
