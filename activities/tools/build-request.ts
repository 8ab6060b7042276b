// Turns a tool's request template and an input into one HTTP request, and refuses whatever could mean another request.
import { SHOWN_CHARACTERS } from '../../contracts/limits';
import type { Json } from '../../contracts/outcomes';
import type { ProviderFile } from '../../contracts/schemas/provider-file';
import type { ToolSpec } from '../../contracts/schemas/tool-spec';
import { parseTemplate, textOf } from '../../contracts/template';
import { ExpressionFailed, type Expressions, type Scope } from './expressions';
import type { RequestContext, ToolRequest } from './tool';
import { RequestInvalid } from './tool-errors';

/** What Node can put into a header: tab and printable Latin-1. Above all no line break, which would begin a header of its own. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Without a path it goes to the address of its job. */
type RequestSpec = Omit<ToolSpec['request'], 'path'> & { path?: string };

/**
 * One request for `input`. Path values are percent-encoded as one segment, query values are encoded, header values may hold no
 * line break. Throws RequestInvalid when a value is missing in the path, does not fit, or an expression fails.
 */
export async function buildRequest(
  file: Pick<ProviderFile, 'auth' | 'idempotency'>,
  request: RequestSpec,
  expressions: Expressions,
  input: Json,
  context: RequestContext,
): Promise<ToolRequest> {
  const { job } = context;
  const scope: Scope = job ? { input, job: { id: job.id } } : { input };
  try {
    const query = await renderQuery(request.query ?? {}, expressions, scope);
    const url =
      request.path === undefined
        ? jobUrl(context, query)
        : `${context.baseUrl.replace(/\/+$/, '')}${await renderPath(request.path, expressions, scope)}${query}`;
    const headers = await renderHeaders(request.headers ?? {}, expressions, scope);
    const body = request.body === undefined ? undefined : await expressions.render(request.body, scope);
    setHeader(headers, 'accept', 'application/json');
    if (body !== undefined) setHeader(headers, 'content-type', 'application/json');
    const { auth, idempotency } = file;
    if (idempotency && context.idempotencyKey !== null) headers[idempotency.header] = context.idempotencyKey;
    if (auth) headers[auth.header] = authValue(auth, context.secret);
    return {
      method: request.method,
      url,
      headers,
      secretHeaders: auth ? [auth.header] : [],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  } catch (error) {
    if (error instanceof ExpressionFailed) throw new RequestInvalid(`the request cannot be built: ${error.message}`);
    throw error;
  }
}

/** The address that the start's answer named, at the provider's own host whatever the answer said: the request carries its secret. */
function jobUrl({ job, baseUrl }: RequestContext, query: string): string {
  if (job?.address === undefined) throw new RequestInvalid(`the start's answer named no address of the job ${job?.id}`);
  const url = `${new URL(baseUrl).origin}${job.address}`;
  return query === '' || !job.address.includes('?') ? `${url}${query}` : `${url}&${query.slice(1)}`;
}

async function renderPath(path: string, expressions: Expressions, scope: Scope): Promise<string> {
  let rendered = '';
  for (const part of parseTemplate(path)) {
    if (part.kind === 'text') {
      rendered += part.text;
      continue;
    }
    const value = await expressions.render(`{{${part.expression}}}`, scope);
    const scalar = value === null || typeof value === 'object' ? undefined : value;
    if (scalar === undefined || scalar === '') {
      const got = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, SHOWN_CHARACTERS);
      throw new RequestInvalid(
        `path: expected text, a number or a boolean from {{ ${part.expression} }}, found ${got}`,
      );
    }
    rendered += encode(textOf(scalar), `path: {{ ${part.expression} }}`);
  }
  // A URL parser would walk up the tree: the request would reach another endpoint than the file says.
  if (rendered.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw new RequestInvalid(`path: expected no "." or ".." segment, found ${JSON.stringify(rendered)}`);
  }
  return rendered;
}

async function renderQuery(query: { [name: string]: Json }, expressions: Expressions, scope: Scope): Promise<string> {
  const pairs: string[] = [];
  for (const [name, template] of Object.entries(query)) {
    const value = await expressions.render(template, scope);
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null) continue;
      pairs.push(`${encode(name, 'query')}=${encode(textOf(item), `query.${name}`)}`);
    }
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

async function renderHeaders(templates: { [name: string]: string }, expressions: Expressions, scope: Scope) {
  const headers: { [name: string]: string } = {};
  for (const [name, template] of Object.entries(templates)) {
    const value = textOf(await expressions.render(template, scope));
    if (!HEADER_VALUE.test(value)) {
      throw new RequestInvalid(
        `headers.${name}: expected Latin-1 text without line breaks, found ${JSON.stringify(value).slice(0, SHOWN_CHARACTERS)}`,
      );
    }
    if (value !== '') headers[name] = value;
  }
  return headers;
}

/** Sets a default: a header that the file names itself, in any case, stays. */
function setHeader(headers: { [name: string]: string }, name: string, value: string): void {
  if (!Object.keys(headers).some((other) => other.toLowerCase() === name)) headers[name] = value;
}

function authValue(auth: NonNullable<ProviderFile['auth']>, secret: string | null): string {
  if (secret === null) throw new RequestInvalid(`${auth.header}: the account has no secret`);
  const value = auth.value.split('{secret}').join(secret);
  if (HEADER_VALUE.test(value)) return value;
  throw new RequestInvalid(
    `${auth.header}: the secret holds a character that a header cannot carry, such as a line break`,
  );
}

function encode(value: string, where: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw new RequestInvalid(`${where}: the text holds half a surrogate pair, which no URL can carry`);
  }
}
