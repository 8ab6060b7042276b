import fc from 'fast-check';
import { base64 } from '../../contracts/base64';

test('is what Buffer makes of the same bytes', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => expect(base64(bytes)).toBe(Buffer.from(bytes).toString('base64'))));
});
