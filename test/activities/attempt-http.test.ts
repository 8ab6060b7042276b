// One request of an HTTP tool: an answer that cannot be read, and one that says the secret where it names its wait.
import { prepareHttp } from '../../activities/attempt-http';
import { profileOf } from '../../activities/http/profiles/registry';
import { sendOnce } from '../../activities/http/send';
import { type DispatchInput, FIRST_CURSOR } from '../../contracts/outcomes';
import { startAgent, startServer, stopAll } from './http/local-server';
import { httpTool } from './tools/provider-fixture';

afterEach(stopAll);

interface Answer {
  body: string;
  status?: number;
  headers?: { [name: string]: string };
}

/** The end of one request to a provider that answers so. */
async function endOf({ body, status = 200, headers = {} }: Answer, secret: string | null = null) {
  const { url } = await startServer((response) => response.writeHead(status, headers).end(body));
  const tool = { ...httpTool({}, { value: '{{ body.data }}' }, { tool: { price: 0.02 } }), baseUrl: url };
  const prepare = prepareHttp(tool, {
    send: (request) =>
      sendOnce(request, { agent: startAgent(), nowMs: () => Date.now(), monotonicMs: () => performance.now() }),
    readSecret: async () => secret,
    profileOf: () => profileOf('generic'),
    random: () => 0,
  });
  const input = { account: 'default', input: {}, cursor: FIRST_CURSOR } as unknown as DispatchInput;
  const send = await prepare({ input, idempotencyKey: 'b1', attempt: 1, throttleNumber: 1 });
  if (typeof send !== 'function') throw new Error(send.message);
  const marks = { leaving: () => undefined, answered: () => undefined, used: () => undefined };
  return send(new AbortController().signal, marks);
}

test.each([200, 200_000])(
  'an answer of %i lists in lists ends its call, was charged, and says how deep one may be',
  async (levels) => {
    expect(await endOf({ body: `{"data":${'['.repeat(levels)}${']'.repeat(levels)}}` })).toMatchObject({
      kind: 'rejected',
      code: 'RESPONSE_INVALID',
      message: expect.stringContaining('expected at most 128 levels of lists and objects'),
      charged: 0.02,
    });
  },
);

test.each([
  [429, { kind: 'hold', said: expect.stringMatching(/^Retry-After: \[/) }],
  [200, { kind: 'value', laterHold: { said: expect.stringMatching(/^Retry-After: \[/) } }],
])('what a %i says of the next request never has the secret in it', async (status, end) => {
  const secret = '4321';
  const ended = await endOf({ body: '{"data":1}', status, headers: { 'Retry-After': secret } }, secret);
  expect(ended).toMatchObject(end);
  expect(JSON.stringify(ended)).not.toContain(`: ${secret}`);
});
