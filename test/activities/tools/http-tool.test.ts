import { httpTool, type ToolChange } from './provider-fixture';

const request = { path: '/a', query: { x: '{{ input.x }}' } };
const tool = (change?: ToolChange, other: object = {}) => httpTool({ ...request, ...other }, {}, change);
const keyed = { idempotency: { header: 'Idempotency-Key' } };

describe('the version of a tool', () => {
  test('is the declared one, else a digest', () => {
    expect(tool({ tool: { version: '2026-01' } }).version).toBe('2026-01');
    expect(tool().version).toBe('8f75d291dc3a8ec1'); // another digest would buy every shared answer anew
  });

  test.each([
    ['limits', { file: { limits: { concurrency: 3 } } }],
    ['price', { tool: { price: 5 } }],
    ['time-out', { tool: { timeout: '9s' } }],
    ['effect', { tool: { effect: 'write' } }],
    ['patience', { file: { giveUpAfter: '1h' } }],
    ['throttle rules', { file: { throttle: { profile: 'other' } } }],
    ['secrets', { file: { accounts: { b: { secret: { env: 'B' } } }, auth: { header: 'X-Key', value: '{secret}' } } }],
  ])('does not depend on %s', (_, change) => {
    expect(tool(change).version).toBe(tool().version);
  });

  test.each([
    ['the request', httpTool({ ...request, path: '/b' })],
    ['the response', httpTool(request, { value: '{{ body.data }}' })],
    ['idempotency', tool({ file: keyed })],
    ['the idempotency of the tool', tool({ tool: { idempotent: true } })],
  ])('changes with %s', (_, other) => {
    expect(other.version).not.toBe(tool().version);
  });
});

test('a tool is idempotent when its file names a header, unless it says otherwise itself', () => {
  expect(tool().idempotent).toBe(false);
  expect(tool({ file: keyed }).idempotent).toBe(true);
  expect(tool({ file: keyed, tool: { idempotent: false } }).idempotent).toBe(false);
});

test('accounts are those of the file, or default; an unknown one is refused by name', () => {
  expect([tool().accounts, tool().secretOf('default')]).toEqual([['default'], null]);
  const file = { accounts: { eu: { secret: { env: 'EU' } } }, auth: { header: 'X-Key', value: '{secret}' } };
  expect([tool({ file }).accounts, tool({ file }).secretOf('eu')]).toEqual([['eu'], { env: 'EU' }]);
  expect(() => tool({ file }).secretOf('us')).toThrow('acme.probe has no account us, only eu');
});

test('throttle rules become rules of answers, with milliseconds', () => {
  const rules = [
    { when: { status: [403] }, means: { class: 'throttle', floor: '5s', scope: 'endpoint' } },
    { when: { status: [202] }, means: { class: 'pending', floor: '2s' } },
    { when: { fields: [{ path: 'code', is: ['X'] }] }, means: { class: 'person' } },
  ];
  expect(tool({ file: { throttle: { rules } } }).throttle).toEqual({
    profile: 'generic',
    rules: [
      { when: { status: [403] }, means: { class: 'throttle', scope: 'endpoint', floorMs: 5000 } },
      { when: { status: [202] }, means: { class: 'pending', floorMs: 2000 } },
      { when: { fields: [{ path: 'code', is: ['X'] }] }, means: { class: 'person', code: 'AUTH_OR_CREDITS' } },
    ],
  });
});
