// Turns what a row program returned into JSON, once, when the row finishes: sinks never see anything else, so a retry writes equal bytes.

import { base64 } from './base64';
import { JSON_DEPTH } from './limits';
import type { Json } from './outcomes';

export type ResultErrorCode = 'E_RESULT_TYPE' | 'E_RESULT_CIRCULAR' | 'E_RESULT_DEPTH' | 'E_RESULT_NOT_JSON';

/** Thrown for a value that has no honest JSON form; `path` such as `$.a[0]`. */
export class ResultError extends Error {
  override readonly name = 'ResultError';

  constructor(
    readonly code: ResultErrorCode,
    readonly path: string,
    message: string,
  ) {
    super(`${path} ${message}`);
  }
}

export interface NormalizedResult {
  json: Json;
  /** Values that JSON cannot say: they became null, text or U+FFFD. Dropped properties do not count. */
  nulled: number;
}

export interface NormalizeOptions {
  /** NaN and infinities: null (default), their name as text, or ResultError E_RESULT_NOT_JSON. */
  nonFinite?: 'null' | 'string' | 'error';
}

/** Objects of the result have no prototype, so `__proto__` stays an ordinary name. Throws ResultError. */
export function normalizeResult(value: unknown, { nonFinite = 'null' }: NormalizeOptions = {}): NormalizedResult {
  let nulled = 0;
  const enclosing = new Set<object>();

  const counted = (json: Json): Json => {
    nulled++;
    return json;
  };

  function normalize(one: unknown, path: string): Json {
    switch (typeof one) {
      case 'string':
        return text(one);
      case 'number':
        return number(one, path);
      case 'boolean':
        return one;
      case 'bigint':
        return one.toString();
      case 'object':
        return one === null ? null : object(one, path);
      default:
        // Undefined, functions and symbols: only array places get here, properties are dropped before.
        return counted(null);
    }
  }

  function text(one: string): string {
    // On the value, never on JSON text: there the half is an escape already, and a literal backslash-u would be broken.
    const clean = one.replace(/\p{Surrogate}/gu, '\ufffd');
    if (clean !== one) nulled++;
    return clean;
  }

  function number(one: number, path: string): Json {
    if (Number.isFinite(one)) return one + 0;
    if (nonFinite === 'error') throw new ResultError('E_RESULT_NOT_JSON', path, `is ${one}; expected a finite number`);
    return counted(nonFinite === 'string' ? String(one) : null);
  }

  function object(one: object, path: string): Json {
    const kind = kindOf(one);
    if (kind === 'Date') return Number.isNaN((one as Date).getTime()) ? counted(null) : (one as Date).toISOString();
    if (one instanceof Uint8Array || kind === 'Uint8Array' || kind === 'Uint8ClampedArray') {
      return base64(one as Uint8Array);
    }
    if (kind === 'Error') return { name: text((one as Error).name), message: text((one as Error).message) };
    if (enclosing.has(one)) throw new ResultError('E_RESULT_CIRCULAR', path, 'refers back to an enclosing object');
    if (enclosing.size >= JSON_DEPTH) throw new ResultError('E_RESULT_DEPTH', shorten(path), 'is nested too deep');
    enclosing.add(one);
    const json = nested(one, kind, path);
    enclosing.delete(one);
    return json;
  }

  function nested(one: object, kind: string, path: string): Json {
    if (Array.isArray(one)) return Array.from(one, (item, at) => normalize(item, `${path}[${at}]`));
    const { toJSON } = one as { toJSON?: unknown };
    if (typeof toJSON === 'function') return normalize(toJSON.call(one), path);
    if (kind === 'Number' || kind === 'String' || kind === 'Boolean') return normalize(one.valueOf(), path);
    if (kind !== 'Object') throw new ResultError('E_RESULT_TYPE', path, `is a ${kind}; expected plain data`);
    const members: { [name: string]: Json } = Object.create(null);
    for (const [name, member] of Object.entries(one)) {
      if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue;
      members[text(name)] = normalize(member, memberPath(path, name));
    }
    return members;
  }

  const json = value === undefined ? null : normalize(value, '$');
  return { json, nulled };
}

/** By tag, since values of a workflow sandbox have classes of their own. */
const kindOf = (value: object): string => Object.prototype.toString.call(value).slice('[object '.length, -1);

const memberPath = (path: string, name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;

/** The start of a very long path is enough to find the place. */
const shorten = (path: string): string => (path.length > 60 ? `${path.slice(0, 60)}…` : path);
