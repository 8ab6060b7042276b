// Reads a tool's answer by its response rules: a value, a documented miss, or neither.
import { SHOWN_CHARACTERS } from '../../contracts/limits';
import type { Json } from '../../contracts/outcomes';
import type { ToolSpec } from '../../contracts/schemas/tool-spec';
import { ExpressionFailed, type Expressions } from './expressions';
import type { ReadValue, ToolAnswer } from './tool';

type ResponseSpec = ToolSpec['response'];

/** `missWhen` is asked first and in any status; then only a 2xx can give a value. Never throws for an answer, however odd. */
export async function readValue(
  response: ResponseSpec,
  expressions: Expressions,
  answer: ToolAnswer,
): Promise<ReadValue> {
  const scope = scopeOf(answer);
  try {
    if (await expressions.holds(response.missWhen, scope)) return { kind: 'missed' };
    if (answer.status < 200 || answer.status > 299) return invalid(`status ${answer.status} is no answer`);
    if (await expressions.holds(response.errorWhen, scope))
      return invalid(`errorWhen is true for ${excerpt(answer.body)}`);
    const value = await expressions.render(response.value, scope);
    if (value !== undefined) return { kind: 'value', value };
    return invalid(
      `response.value finds nothing in ${excerpt(answer.body)}; missWhen can name a documented "no match"`,
    );
  } catch (error) {
    if (error instanceof ExpressionFailed) return invalid(error.message);
    throw error;
  }
}

/** The provider's id of the request; null when the rules name none, it is missing, or the expression fails. */
export async function readRequestId(
  response: ResponseSpec,
  expressions: Expressions,
  answer: ToolAnswer,
): Promise<string | null> {
  if (response.requestId === undefined) return null;
  try {
    const id = await expressions.render(response.requestId, scopeOf(answer));
    return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
  } catch (error) {
    // An id helps a person who asks the provider; the answer is good without it.
    if (error instanceof ExpressionFailed) return null;
    throw error;
  }
}

const invalid = (message: string): ReadValue => ({ kind: 'invalid', message });

const scopeOf = ({ status, headers, body, input }: ToolAnswer) => ({ status, headers, body, input });

function excerpt(body: Json): string {
  const text = JSON.stringify(body);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
