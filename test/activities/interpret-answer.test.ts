// What an answer ends its request in, where the provider file, the reader of refusals and the secret meet.

import { profileOf, withRules } from '../../activities/http/profiles/registry';
import type { RawAnswer } from '../../activities/http/raw-answer';
import { interpret } from '../../activities/interpret-answer';
import type { HttpTool } from '../../activities/tools/tool';
import { type Cursor, FIRST_CURSOR } from '../../contracts/outcomes';
import { httpTool } from './tools/provider-fixture';

const SECRET = 'sk-live-0123456789';
const CHARGED = { tool: { price: 0.02 } };

function endOf(tool: HttpTool, raw: RawAnswer, attempt = 1, cursor: Cursor = FIRST_CURSOR) {
  const request = {
    input: { input: {}, cursor } as Parameters<typeof interpret>[3]['input'],
    idempotencyKey: 'b1',
    attempt,
    throttleNumber: 1,
  };
  const deps = {
    profileOf: (own: HttpTool) => withRules(profileOf(own.throttle.profile), own.throttle.rules),
    random: () => 0,
  };
  return interpret(raw, tool, { method: 'GET', secret: SECRET }, request, deps);
}
const answered = (status: number, body: string, bodyComplete = true): RawAnswer => ({
  kind: 'answer',
  status,
  rawHeaders: [['content-type', 'application/json']],
  body: Buffer.from(body),
  bodyComplete,
  observedAtMs: 1_700_000_000_000,
  observedAtMonotonicMs: 0,
});

test('no part of a secret is left where a message is cut, wherever the provider says it', async () => {
  const tool = httpTool({}, { value: '{{ body.data }}', errorWhen: '{{ $exists(body.note) }}' });
  for (let before = 0; before < 320; before++) {
    const refused = await endOf(tool, answered(400, `${'x'.repeat(before)} ${SECRET}`));
    const invalid = await endOf(tool, answered(200, JSON.stringify({ note: `${'x'.repeat(before % 70)} ${SECRET}` })));
    for (const end of [refused, invalid]) expect(JSON.stringify(end)).not.toContain(SECRET.slice(0, 4));
  }
});

test('a miss that the profile knows is one also when only the start of its body was read', async () => {
  const rules = [{ when: { status: [404] }, means: { class: 'no_match' } }];
  const tool = httpTool({}, {}, { file: { throttle: { profile: 'generic', rules } }, ...CHARGED });
  expect(await endOf(tool, answered(404, '{"start', false))).toEqual({ kind: 'missed', status: 404 });
});

test('an answer that is too large was charged like any other', async () => {
  const raw: RawAnswer = {
    kind: 'failed',
    sent: true,
    code: 'TOO_LARGE',
    message: 'too large',
    answerStarted: true,
    status: 200,
    observedAtMs: 1_700_000_000_000,
  };
  expect(await endOf(httpTool({}, {}, CHARGED), raw)).toMatchObject({ code: 'RESPONSE_TOO_LARGE', charged: 0.02 });
});

describe('409 of a provider that has no code for it', () => {
  const keyed = httpTool({}, {}, { file: { idempotency: { header: 'Idempotency-Key' } } });
  const conflict = answered(409, '{"message":"in progress"}');

  test('on a repeated request under its key means that the first one is still being worked on: wait, under the same key', async () => {
    expect(await endOf(keyed, conflict, 2)).toMatchObject({
      kind: 'hold',
      reason: 'row_locked',
      scope: 'row',
      retryAtMs: 1_700_000_001_000,
      isDefinite: false,
    });
  });

  test('on the first request of a call that is made anew after a doubt it means the same', async () => {
    const afterDoubt = { ...FIRST_CURSOR, billingState: 'open' as const };
    expect(await endOf(keyed, conflict, 1, afterDoubt)).toMatchObject({ kind: 'hold', reason: 'row_locked' });
  });

  test('on a first request, or without a key, is a refusal', async () => {
    for (const end of [await endOf(keyed, conflict, 1), await endOf(httpTool({}), conflict, 2)])
      expect(end).toMatchObject({ kind: 'rejected', code: 'INVALID_REQUEST', status: 409 });
  });
});

test('a refusal tells the id that the provider knows the request by, also where nobody knows what it did', async () => {
  const own = { value: '{{ body.data }}', requestId: '{{ body.id }}' };
  const tool = (idempotent: boolean) => httpTool({}, own, { tool: { price: 0.02, idempotent } });
  expect(await endOf(tool(true), answered(400, '{"id":"req-1"}'))).toMatchObject({ providerRequestId: 'req-1' });
  expect(await endOf(tool(false), answered(502, '{"id":"req-2"}'))).toMatchObject({
    kind: 'ambiguous',
    providerRequestId: 'req-2',
  });
});
