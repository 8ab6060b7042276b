// Takes secrets out of any text that leaves: messages, logs, bodies quoted in errors.
import { REDACT_MIN_CHARACTERS } from '../../contracts/limits';

const REDACTED = '[secret]';

/**
 * The text with every occurrence of each secret replaced by `[secret]`: plain, without the blanks around it, JSON-escaped (also with
 * `\/` and with `\u` for what is not ASCII, once and twice over), URL-encoded (as browsers, RFC 3986 and forms do it, any case of the hex digits),
 * HTML-escaped, and base64, also as the inner part of a longer base64 text such as `Basic` credentials.
 * Secrets shorter than four characters are left alone.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = secrets.filter((secret) => secret.length >= REDACT_MIN_CHARACTERS).flatMap(formsOf);
  // Longer forms first: a short secret may be a part of a long one.
  forms.sort((a, b) => b.length - a.length);
  return forms.reduce((clean, form) => replaceForm(clean, form), text);
}

/** A secret with half a surrogate pair has no URL form: no request can carry it either. */
function urlForm(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    return secret;
  }
}

function formsOf(secret: string): string[] {
  // A header travels without the blanks around its value, and so it is echoed.
  const texts = [...new Set([secret, secret.trim()])];
  const forms = texts.flatMap((text) => [
    text,
    ...jsonForms(text),
    ...urlForms(text),
    ...htmlForms(text),
    ...base64Forms(text),
  ]);
  return [...new Set(forms)].filter((form) => form.length >= REDACT_MIN_CHARACTERS);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** As JSON writers differ: slashes escaped or not, other signs than ASCII escaped or not; and JSON as a text inside JSON. */
function jsonForms(secret: string): string[] {
  const once = [inJson(secret), inJson(secret).replaceAll('/', '\\/')];
  const ascii = once.map((text) =>
    text.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
  return [...once, ...ascii].flatMap((text) => [text, inJson(text)]);
}

/** As URL writers differ: spaces, the signs that RFC 3986 reserves and browsers do not, and slashes left as they are. */
function urlForms(secret: string): string[] {
  const encoded = urlForm(secret);
  const strict = encoded.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return [encoded, strict].flatMap((text) => [
    text,
    text.replaceAll('%20', '+'),
    text.replaceAll('%2F', '/'),
    text.replaceAll('%20', '+').replaceAll('%2F', '/'),
  ]);
}

/** As an error page shows it; quotes are escaped in three ways or not at all. */
function htmlForms(secret: string): string[] {
  const text = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quotes = text.replaceAll('"', '&quot;');
  return [text, quotes, ...['&#39;', '&#x27;', '&apos;'].map((apostrophe) => quotes.replaceAll("'", apostrophe))];
}

/** Base64 of the secret at each of the three positions it can have inside a longer text, without the characters its neighbours decide. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const whole = bytes.toString('base64');
  const inner = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const decidedByNext = (bytes.length + offset) % 3 === 0 ? 0 : 1;
    return text.slice(Math.ceil((offset * 8) / 6), text.length - decidedByNext);
  });
  const forms = [whole, ...inner.filter((form) => form.length >= 2 * REDACT_MIN_CHARACTERS)];
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

function replaceForm(text: string, form: string): string {
  if (!/%[0-9A-F]{2}/.test(form)) return text.replaceAll(form, REDACTED);
  const anyCase = form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%([0-9A-F]{2})/g, (_, hex: string) => {
    return `%${[...hex].map((digit) => `[${digit}${digit.toLowerCase()}]`).join('')}`;
  });
  return text.replace(new RegExp(anyCase, 'g'), REDACTED);
}
