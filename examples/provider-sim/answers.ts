// The good answers: decided by the input alone, so that two runs and two retries agree.
import type { Json } from '../../contracts/outcomes';
import { draw, drawOne } from './draw';
import { errorReply, jsonReply, missReply, type Reply } from './reply';

/** What a provider offers below `/<provider>/v1/`: the method and the one field that it needs. */
export const ENDPOINTS = {
  company: { method: 'GET', needs: 'domain' },
  email: { method: 'GET', needs: 'domain' },
  complete: { method: 'POST', needs: 'prompt' },
} as const;
export type Endpoint = keyof typeof ENDPOINTS;

export type Answer = { kind: 'found' | 'missed' | 'invalid'; reply: Reply };

/** Share of inputs that nothing is known about (text completions never miss), and characters of filling in each answer. */
export interface AnswerOptions {
  missRate: number;
  answerFilling: number;
}

/** Answers one request. */
export function answer(
  endpoint: Endpoint,
  input: { [name: string]: Json },
  { missRate, answerFilling }: AnswerOptions,
): Answer {
  const field = ENDPOINTS[endpoint].needs;
  const value = input[field];
  if (typeof value !== 'string' || value === '') {
    const message = `${field}: expected a text that is not empty, got ${JSON.stringify(value ?? null)}`;
    return { kind: 'invalid', reply: errorReply(400, 'invalid_request', message) };
  }
  if (isMiss(endpoint, value, missRate)) return { kind: 'missed', reply: missReply() };
  const filling = answerFilling > 0 ? { filling: 'x'.repeat(answerFilling) } : {};
  return { kind: 'found', reply: jsonReply(200, { data: { ...ANSWERS[endpoint](value), ...filling } }) };
}

/** Whether this input is one of the documented misses of the endpoint. */
export function isMiss(endpoint: Endpoint, value: string, missRate: number): boolean {
  return endpoint !== 'complete' && draw('miss', endpoint, value) < missRate;
}

/** What is known of a company; the result of a job as well. */
export const companyAnswer = (domain: string): { [name: string]: Json } => ANSWERS.company(domain);

const ANSWERS: { [endpoint in Endpoint]: (value: string) => { [name: string]: Json } } = {
  company: (domain) => ({
    domain,
    name: companyName(domain),
    employees: Math.round(10 ** (0.5 + 4 * draw('employees', domain))),
    country: drawOne(['DE', 'FR', 'US', 'JP', 'BR', 'IN'], 'country', domain),
    industry: drawOne(['software', 'retail', 'logistics', 'energy', 'health'], 'industry', domain),
  }),
  email: (domain) => ({
    email: `${drawOne(['hello', 'contact', 'info', 'sales'], 'mailbox', domain)}@${domain}`,
    confidence: Math.round(50 + 50 * draw('confidence', domain)) / 100,
  }),
  complete: (prompt) => {
    const text = completion(prompt);
    return { text, usage: { input_tokens: tokens(prompt), output_tokens: tokens(text) } };
  },
};

const completion = (prompt: string): string =>
  `Summary ${Math.floor(draw('text', prompt) * 1e6)}: ${prompt.slice(0, 80)}`;

/** What a request uses of token windows: its input and its answer; 0 for everything but completions. */
export function tokensOf(endpoint: Endpoint | undefined, { prompt }: { [name: string]: Json }): number {
  return endpoint === 'complete' && typeof prompt === 'string' ? tokens(prompt) + tokens(completion(prompt)) : 0;
}

/** Four characters a token: near enough to count with. */
const tokens = (text: string): number => Math.ceil(text.length / 4);

function companyName(domain: string): string {
  const words = (domain.split('.')[0] ?? domain).split('-').filter((word) => word !== '');
  return words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(' ');
}
