// Opens the source file: a regular file, inside the folder it may be in, checked after it is open.
import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { DatasetError } from './dataset-error';

export interface SourcePlace {
  /** As named in the spec. */
  path: string;
  baseDir: string;
  dataRoot?: string;
}

export interface OpenSource {
  handle: FileHandle;
  /** With every symbolic link followed. */
  realPath: string;
  bytes: number;
  modifiedMs: number;
}

const URL_LIKE = /^(?:[a-z][a-z0-9+.-]*:\/\/|data:)/i;

/** Opens without blocking on a FIFO. Throws E_SOURCE_NOT_ALLOWED, _NOT_FOUND, _NOT_FILE or _UNREADABLE with the full path. */
export async function openSource(place: SourcePlace): Promise<OpenSource> {
  if (URL_LIKE.test(place.path)) throw notAllowed('is a URL; expected the path of a local file');
  const root = place.dataRoot ?? (isAbsolute(place.path) ? null : place.baseDir);
  // Not path.join: it would drop `link/..` before the link is seen. The system resolves it when it opens.
  const path = isAbsolute(place.path) ? place.path : `${resolve(place.baseDir)}${sep}${place.path}`;
  if (root !== null && !isInside(resolve(path), resolve(root))) throw outside(path, root);
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error) => {
    throw cannotOpen(path, error);
  });
  try {
    return await checkOpenFile(handle, path, root);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function checkOpenFile(handle: FileHandle, path: string, root: string | null): Promise<OpenSource> {
  const opened = await handle.stat();
  const realPath = await realpath(path);
  if (root !== null && !isInside(realPath, await realpath(root))) throw outside(realPath, root);
  const named = await stat(realPath);
  if (named.dev !== opened.dev || named.ino !== opened.ino) {
    throw new DatasetError('E_SOURCE_CHANGED', 'file', `${path} was replaced while it was opened; start again`);
  }
  if (!opened.isFile()) {
    const kind = opened.isDirectory() ? 'a folder' : opened.isFIFO() ? 'a FIFO' : 'a device or socket';
    throw new DatasetError('E_SOURCE_NOT_FILE', 'file', `${path} is ${kind}; expected a regular file`);
  }
  return { handle, realPath, bytes: opened.size, modifiedMs: opened.mtimeMs };
}

/** With the separator, since `/data` is also a prefix of `/data-evil`. */
const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const notAllowed = (message: string, options?: ErrorOptions): DatasetError =>
  new DatasetError('E_SOURCE_NOT_ALLOWED', 'file', message, {}, options);

const outside = (path: string, root: string): DatasetError =>
  notAllowed(`${path} lies outside ${root}; name the file by its absolute path or move it there`);

function cannotOpen(path: string, error: NodeJS.ErrnoException): DatasetError {
  const options = { cause: error };
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return new DatasetError('E_SOURCE_NOT_FOUND', 'file', `${path} does not exist; expected a file`, {}, options);
  }
  if (error.code === 'ENXIO') {
    return new DatasetError('E_SOURCE_NOT_FILE', 'file', `${path} is a socket; expected a regular file`, {}, options);
  }
  const why = error.code === 'EACCES' ? 'this process may not read it' : error.message;
  return new DatasetError('E_SOURCE_UNREADABLE', 'file', `${path} cannot be opened: ${why}`, {}, options);
}
