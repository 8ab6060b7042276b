import { RETRY_STYLES, type RetryStyle } from '../../../examples/provider-sim/options';
import { retryHint } from '../../../examples/provider-sim/retry-after';
import { ask, withSim } from './client';

const NOON_MS = Date.UTC(2026, 11, 1, 12, 0, 0, 250);

const expected: { [style in RetryStyle]: ReturnType<typeof retryHint> } = {
  seconds: { headers: [['retry-after', '12']], fields: {} },
  'http-date': { headers: [['retry-after', 'Tue, 01 Dec 2026 12:00:12 GMT']], fields: {} },
  'ms-header': { headers: [['retry-after-ms', '11500']], fields: {} },
  'reset-epoch': {
    headers: [
      ['x-ratelimit-remaining', '0'],
      ['x-ratelimit-reset', String(Date.UTC(2026, 11, 1, 12, 0, 12) / 1000)],
    ],
    fields: {},
  },
  body: { headers: [], fields: { retry_after: 11.5 } },
  none: { headers: [], fields: {} },
  zero: { headers: [['retry-after', '0']], fields: {} },
  'several-lines': {
    headers: [
      ['retry-after', '1'],
      ['retry-after', '12'],
    ],
    fields: {},
  },
};

test.each(RETRY_STYLES)('a wait of 11.5 s in the style %s, never rounded to an earlier instant', (style) => {
  expect(retryHint(style, 11_500, NOON_MS)).toEqual(expected[style]);
});

test.each(RETRY_STYLES)('the style %s arrives on the wire, several lines as several lines', async (style) => {
  await withSim({ providers: { acme: {} } }, async ({ url, control }) => {
    control.close('acme', { durationMs: 600_000, style, hintMs: 90_000 });
    const got = await ask(`${url}/acme/v1/company?domain=a.example`);
    const names = expected[style].headers.map(([name]) => name);
    expect(got.status).toBe(429);
    expect(got.lines.map(([name]) => name).filter((name) => /^retry-after|^x-ratelimit/.test(name))).toEqual(names);
    const { error } = JSON.parse(got.body);
    expect(error).toMatchObject({ code: 'rate_limited' });
    expect(error.retry_after).toBe(style === 'body' ? 90 : undefined);
    if (style === 'several-lines') expect(got.lines).toContainEqual(['retry-after', '90']);
  });
});
