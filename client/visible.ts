// What providers and datasets say, with the signs that a terminal obeys instead of showing them written out.

/** Control characters but for line ends and tabs, and those that turn the direction of what follows. */
const OBEYED = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** The text with each of these signs as `\u` and four hex digits, which inside of JSON is the same text still. */
export const visible = (text: string): string =>
  text.replace(OBEYED, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
