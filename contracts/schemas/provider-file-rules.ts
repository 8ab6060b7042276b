// Rules of a provider file that no schema can say. They take any value, so that a wrong type in one place hides nothing elsewhere.
import { unkeyedJobProblems } from './job-rules';
import { isObject, type LocatedProblem, type Raw } from './read-by';
import { toolRules } from './tool-rules';
import { unitRules } from './unit-rules';
import { found } from './words';

/** The characters of a header name (RFC 9110 token). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers that the HTTP client sets itself. */
const RESERVED_HEADERS = ['connection', 'content-length', 'host', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'];

const RESERVED_NAME = {
  at: ['provider'],
  message: '"local" is the provider of code tools that call nobody; choose another name',
};

/** Problems of a raw provider file beyond its schema; none for a value that is no object at all. */
export function providerFileRules(raw: unknown): LocatedProblem[] {
  if (!isObject(raw)) return [];
  const own = [headerOf(raw.auth), headerOf(raw.idempotency)];
  const tools = isObject(raw.tools) ? Object.entries(raw.tools) : [];
  return [
    ...(raw.provider === 'local' ? [RESERVED_NAME] : []),
    ...baseUrlRules(raw.baseUrl),
    ...accountRules(raw),
    ...unitRules(raw),
    ...headerRules(own[0], ['auth', 'header'], []),
    ...headerRules(own[1], ['idempotency', 'header'], own.slice(0, 1)),
    ...tools.flatMap(([tool, value]) => [
      ...toolRules(value, ['tools', tool]),
      ...unkeyedJobProblems(value, raw.idempotency !== undefined, ['tools', tool]),
      ...Object.keys(requestHeaders(value)).flatMap((name) =>
        headerRules(name, ['tools', tool, 'request', 'headers', name], own),
      ),
    ]),
  ];
}

const headerOf = (section: unknown) => (isObject(section) ? section.header : undefined);

function requestHeaders(tool: unknown): Raw {
  const request = isObject(tool) ? tool.request : undefined;
  return isObject(request) && isObject(request.headers) ? request.headers : {};
}

/** Why an address cannot be a baseUrl; null when it can. Used once more for an address that comes from the environment. */
export function baseUrlProblem(address: string): string | null {
  // What stands before an "@" may be a password, in a text that is no URL too.
  const shown = address.includes('@') ? 'a text with "@"' : found(address);
  const rule = `expected an https URL (http only for a loopback host), found ${shown}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) return rule;
  if (url.username !== '' || url.password !== '') return 'expected a URL without user name and password';
  if (url.search !== '' || url.hash !== '') return `expected a URL without "?" and "#", found ${shown}`;
  const loopback = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback) ? null : rule;
}

function baseUrlRules(baseUrl: unknown): LocatedProblem[] {
  const message = typeof baseUrl === 'string' ? baseUrlProblem(baseUrl) : null;
  return message === null ? [] : [{ at: ['baseUrl'], message }];
}

function accountRules(raw: Raw): LocatedProblem[] {
  const { accounts, auth } = raw;
  const problems: LocatedProblem[] = [];
  if (accounts === undefined && auth !== undefined) {
    problems.push({ at: ['accounts'], message: 'auth sends a secret, but no account is given' });
  }
  if (!isObject(accounts)) return problems;
  if (auth === undefined)
    problems.push({ at: ['auth'], message: 'accounts have secrets, but auth does not say how to send them' });
  if (isObject(auth) && typeof auth.value === 'string' && !auth.value.includes('{secret}')) {
    problems.push({ at: ['auth', 'value'], message: 'expected a text with {secret} in it' });
  }
  if (Object.keys(accounts).length === 0)
    problems.push({ at: ['accounts'], message: 'expected at least one account, found none' });
  for (const [name, account] of Object.entries(accounts)) {
    const secret = isObject(account) ? account.secret : undefined;
    if (!isObject(secret) || Object.hasOwn(secret, 'env') !== Object.hasOwn(secret, 'file')) continue;
    problems.push({ at: ['accounts', name, 'secret'], message: 'expected exactly one of env and file' });
  }
  return problems;
}

function headerRules(name: unknown, at: readonly PropertyKey[], taken: readonly unknown[]): LocatedProblem[] {
  if (typeof name !== 'string' || name === '') return [];
  const lower = name.toLowerCase();
  if (!HEADER_NAME.test(name)) return [{ at, message: `expected the name of a header, found ${found(name)}` }];
  if (RESERVED_HEADERS.includes(lower)) return [{ at, message: `${found(name)} is set by the HTTP client itself` }];
  const twice = taken.some((other) => typeof other === 'string' && other.toLowerCase() === lower);
  return twice ? [{ at, message: `${found(name)} is the header of auth or idempotency already` }] : [];
}
