import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { firstInvalid, incompleteTail } from '../../../activities/datasets/encoding/utf8-check';

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc.array(fc.constantFrom(0x41, 0xc3, 0xa9, 0xe0, 0xa0, 0x80, 0xed, 0x9f, 0xbf, 0xf0, 0x90, 0xf4, 0x8f, 0xc0, 0xff), {
    maxLength: 8,
  }),
);

test('a bad sequence is found exactly where there is one', () => {
  fc.assert(
    fc.property(bytes, (list) => {
      const buffer = Buffer.from(list);
      const invalid = firstInvalid(buffer);
      expect(invalid < 0).toBe(isUtf8(buffer));
      expect(isUtf8(buffer.subarray(0, invalid < 0 ? buffer.length : invalid))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('a text cut anywhere is whole characters and a tail', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, cut) => {
      const buffer = Buffer.from(text);
      const head = buffer.subarray(0, buffer.length === 0 ? 0 : cut % buffer.length);
      expect(isUtf8(head.subarray(0, head.length - incompleteTail(head)))).toBe(true);
    }),
  );
});
