// Base64 of bytes, for code that has no Buffer: workflows run in a sandbox without it.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** RFC 4648 with padding. */
export function base64(bytes: ArrayLike<number>): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const digits = [18, 12, 6, 0].map((shift) => ALPHABET[(group >> shift) & 63]);
    const padding = at + 3 - bytes.length;
    text +=
      padding > 0
        ? digits
            .slice(0, 4 - padding)
            .join('')
            .padEnd(4, '=')
        : digits.join('');
  }
  return text;
}
