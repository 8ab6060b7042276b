import { stringify } from 'csv-stringify/sync';
import { csvLine } from '../../../activities/sinks/csv-text';

test.each([
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\tx', `"'\tx"`],
  ['\rx', `"'\rx"`],
  ['\nx', `"'\nx"`],
  ['\uff1d1', `"'\uff1d1"`],
  ['a;=1', '"a;=1"'],
])('formulaSafe disarms %j', (text, cell) => {
  expect(csvLine([text, 'x'], true).text).toBe(`${cell},"x"\r\n`);
});

test('formulaSafe escapes at least what csv-stringify escapes, and leaves numbers bare', () => {
  for (const text of ['=a', '+a', '-a', '@a', '\ta', '\ra', '\uff1da', '\uff0ba', '\uff0da', '\uff20a', 'a=']) {
    const escaped =
      stringify([[text]], { escape_formulas: true }).startsWith("'") ||
      stringify([[text]], { escape_formulas: true }).startsWith(`"'`);
    expect([text, csvLine([text, 'x'], true).text.startsWith(`"'`)]).toEqual([text, escaped]);
  }
  expect(csvLine([-1, true, null], true).text).toBe('-1,true,\r\n');
});

test('text with outer white space, separators or directives is quoted, the rest is bare', () => {
  expect(csvLine([' a', 'b ', 'c,d', 'e"f', 'g\nh', '\\.', 'sep=;', 'plain text', ''], false).text).toBe(
    '" a","b ","c,d","e""f","g\nh","\\.","sep=;",plain text,""\r\n',
  );
});
