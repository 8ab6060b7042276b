// Opens a dataset over http or https: every hop checked, its length compared, nothing read before its headers are judged.
import { Agent, request } from 'undici';
import { PROVIDER_CONNECT_TIMEOUT_MS, REDIRECT_HOPS, SOURCE_SILENCE_MS } from '../../../contracts/limits';
import type { ByteStream } from '../byte-stream';
import { DatasetError } from '../dataset-error';
import { checkedLookup, checkLiteral, type HostRules } from './checked-lookup';

export interface OpenUrl {
  /** Path of the last hop, whose ending may say how it is compressed. */
  name: string;
  /** Declared length, null when the server names none. */
  bytes: number | null;
  stream: ByteStream;
  close(): Promise<void>;
}

export const isUrl = (path: string): boolean => /^https?:\/\//i.test(path);

/** A URL as errors show it: without user and password, and what follows `?` may be a signature that opens the file to anybody. */
export const shownSource = (path: string): string =>
  isUrl(path) ? path.replace(/\?.*$/s, '?…').replace(/\/\/[^/]*@/, '//') : path;

/** Throws E_SOURCE_NOT_ALLOWED, _NOT_FOUND, _UNREADABLE or _NOT_DATA; reading the stream E_SOURCE_TRUNCATED. */
export async function openUrl(path: string, rules: HostRules): Promise<OpenUrl> {
  const dispatcher = new Agent({
    connect: { timeout: PROVIDER_CONNECT_TIMEOUT_MS, lookup: checkedLookup(rules) },
    headersTimeout: SOURCE_SILENCE_MS,
    bodyTimeout: SOURCE_SILENCE_MS,
  });
  try {
    let url = allowed(path, undefined, rules);
    for (let hop = 0; ; hop++) {
      const { statusCode, headers, body } = await send(url, dispatcher);
      if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) {
        judge(statusCode, headers['content-type'], url);
        const declared = Number(headers['content-length'] ?? Number.NaN);
        const bytes = Number.isSafeInteger(declared) ? declared : null;
        return { name: url.pathname, bytes, stream: whole(body, bytes), close: () => dispatcher.destroy() };
      }
      await body.dump();
      if (hop >= REDIRECT_HOPS)
        throw new DatasetError('E_SOURCE_UNREADABLE', 'file', `redirected more than ${REDIRECT_HOPS} times`);
      url = allowed(String(headers.location), url, rules);
    }
  } catch (error) {
    await dispatcher.destroy();
    throw error;
  }
}

function allowed(text: string, base: URL | undefined, rules: HostRules): URL {
  const refuse = (why: string) => new DatasetError('E_SOURCE_NOT_ALLOWED', 'file', why);
  if (!URL.canParse(text, base?.href)) throw refuse('it is no URL');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refuse(`it leads to ${url.protocol}//; expected http or https`);
  }
  if (url.username !== '' || url.password !== '') throw refuse('a URL with a user or password is not taken');
  checkLiteral(url.hostname, rules);
  return url;
}

async function send(url: URL, dispatcher: Agent) {
  try {
    // No compression of the transport: a gzip file is told by its bytes, and the length counts what arrives.
    return await request(url, { dispatcher, headers: { accept: '*/*', 'accept-encoding': 'identity' } });
  } catch (error) {
    if (error instanceof DatasetError) throw error;
    const { message, code } = error as NodeJS.ErrnoException;
    const why = message || code || String(error);
    throw new DatasetError('E_SOURCE_UNREADABLE', 'file', `${url.host} does not answer: ${why}`, {}, { cause: error });
  }
}

function judge(status: number, contentType: string | string[] | undefined, url: URL): void {
  if (status === 404 || status === 410) {
    throw new DatasetError('E_SOURCE_NOT_FOUND', 'file', `${url.host} answers ${status}`);
  }
  if (status !== 200)
    throw new DatasetError('E_SOURCE_UNREADABLE', 'file', `${url.host} answers ${status}; expected 200`);
  const type = String(contentType ?? '').toLowerCase();
  if (type.startsWith('text/html')) {
    const message = `${url.host} answers with a page (text/html); expected a file: is a login needed?`;
    throw new DatasetError('E_SOURCE_NOT_DATA', 'file', message);
  }
}

/** The body to its last declared byte: a text that ends on a row end does not show that the rest is missing. */
async function* whole(body: AsyncIterable<Buffer>, declared: number | null): AsyncGenerator<Buffer> {
  let bytes = 0;
  const cut = (cause?: unknown) => {
    const expected = declared === null ? 'its end' : `${declared} bytes`;
    const message = `the connection ended after ${bytes} bytes; expected ${expected}`;
    return new DatasetError('E_SOURCE_TRUNCATED', 'file', message, {}, { cause });
  };
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw error instanceof DatasetError ? error : cut(error);
  }
  if (declared !== null && bytes < declared) throw cut();
}
