// Decimal text of numbers: what a double really says, and whether it says what was written.

/** Sign, digits without leading and trailing zeros, and the power of ten of the last digit; zero has no digits. */
interface Decimal {
  negative: boolean;
  digits: string;
  exponent: number;
}

/** Whole numbers that every double holds: most numbers of most files. */
const SHORT_WHOLE = /^-?\d{1,15}$/;

/** `token`: a JSON number. */
function readDecimal(token: string): Decimal {
  const [mantissa = '', exponentText = '0'] = token.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  const exponent = Number(exponentText) - fraction.length + (digits.length - short.length);
  return { negative: token.startsWith('-') && short !== '', digits: short, exponent: short === '' ? 0 : exponent };
}

/** Whether the double nearest to a JSON number, in its shortest form, has the decimal value that was written. */
export function isExactNumber(token: string): boolean {
  if (SHORT_WHOLE.test(token)) return true;
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  const written = readDecimal(token);
  const held = readDecimal(String(value));
  return written.digits === held.digits && written.exponent === held.exponent;
}

/** Plain decimal without exponent: 1e21 is 1000000000000000000000, -0 is 0. `value` is finite. */
export function plainDecimal(value: number): string {
  const { negative, digits, exponent } = readDecimal(String(value));
  if (digits === '') return '0';
  const sign = negative ? '-' : '';
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  const padded = digits.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}
