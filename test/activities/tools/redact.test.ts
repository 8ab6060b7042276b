import fc from 'fast-check';
import { redact } from '../../../activities/tools/redact';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const SECRET = 'p@ss wörd/"1+2?>\'(!)&';
const html = (text: string) => text.replaceAll('&', '&amp;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

test.each([
  ['plain', SECRET],
  ['inside JSON', JSON.stringify({ key: SECRET })],
  ['URL-encoded', encodeURIComponent(SECRET)],
  ['URL-encoded in small letters', encodeURIComponent(SECRET).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())],
  ['as a form value', new URLSearchParams({ q: SECRET }).toString().slice(2)],
  [
    'URL-encoded by RFC 3986',
    encodeURIComponent(SECRET).replace(/[!'()*]/g, (s) => `%${s.charCodeAt(0).toString(16)}`),
  ],
  ['in the path of a URL', encodeURIComponent(SECRET).replaceAll('%2F', '/')],
  ['inside JSON with escaped slashes', JSON.stringify({ key: SECRET }).replaceAll('/', '\\/')],
  ['inside JSON that is ASCII', JSON.stringify({ key: SECRET }).replaceAll('ö', '\\u00f6')],
  ['inside JSON that is a text of JSON', JSON.stringify(JSON.stringify({ key: SECRET }))],
  ['in a page of HTML', html(SECRET)],
  ['in a page of HTML with apostrophes escaped', html(SECRET).replaceAll("'", '&#39;')],
  ['base64', base64(SECRET)],
  ['base64 for URLs', Buffer.from(SECRET).toString('base64url')],
])('a secret is taken out: %s', (_, text) => {
  const clean = redact(`before ${text} after ${text}`, [SECRET]);
  expect(clean).not.toContain(text);
  expect(clean).toMatch(/^before .*\[secret\].* after .*\[secret\].*$/);
});

test('credentials in base64 lose the secret wherever it stands in them', async () => {
  const secret = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_$'), minLength: 10, maxLength: 30 });
  fc.assert(
    fc.property(fc.string({ maxLength: 7 }), secret, fc.string({ maxLength: 7 }), (before, key, after) => {
      const clean = redact(base64(`${before}:${key}:${after}`), [key]);
      expect(clean).toContain('[secret]');
      for (const part of clean.split('[secret]'))
        expect(Buffer.from(part, 'base64').toString()).not.toContain(key.slice(0, -2));
    }),
    { numRuns: 300 },
  );
});

test('a secret that is part of another one leaves no rest', () => {
  expect(redact('key-long and key', ['key', 'key-', 'key-long'])).toBe('[secret] and key');
  expect(redact('key-long', ['key-', 'key-long'])).toBe('[secret]');
});

test('a secret with blanks around it is taken out of an echo without them', () => {
  expect(redact('bad key 0123-abcd!', ['  0123-abcd\n'])).toBe('bad key [secret]!');
});

test('texts without a secret stay as they are, and very short secrets are not looked for', () => {
  expect(redact('a cat sat', ['cat', '', 'dogs'])).toBe('a cat sat');
  expect(redact('', ['secret'])).toBe('');
});

test('signs that mean something in patterns and replacements are ordinary', () => {
  expect(redact('x $&.*+(%41) y', ['$&.*+(%41)'])).toBe('x [secret] y');
});
