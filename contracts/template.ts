// Templates: JSON whose texts hold JSONata in {{ }}. Splits and renders them; evaluating is the caller's, no JSONata is loaded here.
import { expressionEnd } from './expression-text';
import type { Json } from './outcomes';
import { plainJson } from './plain-json';

export type TemplatePart = { kind: 'text'; text: string } | { kind: 'expression'; expression: string };

/** A template that cannot be split; `message` says what is wrong and where. */
export class TemplateError extends Error {
  override name = 'TemplateError';
}

/**
 * Parts of a text, in order. An expression ends at the first `}}` outside its own braces, quotes and comments.
 * There is no escape sign: a literal `{{` is written as an expression, `{{ "{{" }}`; a lone `}}` is text.
 * Throws a TemplateError for `{{` that is never closed and for an empty expression.
 */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let position = 0;
  while (position < text.length) {
    const opening = text.indexOf('{{', position);
    if (opening !== position)
      parts.push({ kind: 'text', text: text.slice(position, opening < 0 ? text.length : opening) });
    if (opening < 0) break;
    const closing = expressionEnd(text, opening + 2);
    if (closing < 0) throw new TemplateError(`"{{" at character ${opening + 1} is never closed by "}}"`);
    const expression = text.slice(opening + 2, closing).trim();
    if (expression === '') throw new TemplateError(`the expression at character ${opening + 1} is empty`);
    parts.push({ kind: 'expression', expression });
    position = closing + 2;
  }
  return parts;
}

/** The expression of a text that is exactly one `{{ }}`, spaces around it aside; null for every other text. */
export function soleExpression(text: string): string | null {
  const parts = parseTemplate(text.trim());
  return parts.length === 1 && parts[0]!.kind === 'expression' ? parts[0]!.expression : null;
}

/** Every text of a template with its path, depth first. Object names are never templates. */
export function* templateTexts(
  template: Json,
  at: readonly (string | number)[] = [],
): Generator<{ at: readonly (string | number)[]; text: string }> {
  if (typeof template === 'string') yield { at, text: template };
  if (template === null || typeof template !== 'object') return;
  for (const [key, member] of Object.entries(template)) {
    yield* templateTexts(member, [...at, Array.isArray(template) ? Number(key) : key]);
  }
}

/** How a value reads inside mixed text: text as it is, nothing as the empty text, everything else as JSON. */
export function textOf(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Yields each expression in turn and takes its value; returns the filled template. */
export type TemplateSteps = Generator<string, Json | undefined, unknown>;

/**
 * The template with every expression replaced by its value, asked for one after the other, depth first.
 * A text that is exactly one expression gives its value of any type; mixed text is joined by `textOf`. An expression without
 * a value drops its object member, is null in a list, and makes the whole result undefined when it is the whole template.
 */
export function* templateSteps(template: Json): TemplateSteps {
  if (typeof template === 'string') return yield* textSteps(template);
  if (template === null || typeof template !== 'object') return template;
  if (Array.isArray(template)) {
    const items: Json[] = [];
    for (const item of template) items.push((yield* templateSteps(item)) ?? null);
    return items;
  }
  const members: [string, Json][] = [];
  for (const [name, member] of Object.entries(template)) {
    const value = yield* templateSteps(member);
    if (value !== undefined) members.push([name, value]);
  }
  return Object.fromEntries(members);
}

function* textSteps(text: string): TemplateSteps {
  const expression = soleExpression(text);
  if (expression !== null) return plainJson(yield expression);
  let joined = '';
  for (const part of parseTemplate(text)) {
    joined += part.kind === 'text' ? part.text : textOf(plainJson(yield part.expression));
  }
  return joined;
}

/** {@link templateSteps} with an evaluator that may take its time. */
export async function renderTemplate(
  template: Json,
  evaluate: (expression: string) => Promise<unknown>,
): Promise<Json | undefined> {
  const steps = templateSteps(template);
  let step = steps.next();
  while (!step.done) step = steps.next(await evaluate(step.value));
  return step.value;
}

export { plainJson } from './plain-json';
export { type PathAnswer, readSimplePath, simplePath } from './simple-path';
