import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { Occurrences } from '../../../activities/datasets/occurrences';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

test('answers as a map of texts would, for keys and for contents, however many there are', () => {
  const row = fc.record({ group: fc.integer({ min: 0, max: 40 }), content: fc.integer({ min: 0, max: 2 }) });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 200 }), fc.boolean(), (rows, byKey) => {
      const seen = new Map<string, { line: number; digest: string }>();
      const occurrences = new Occurrences();
      for (const [line, { group: number, content }] of rows.entries()) {
        const group = byKey ? `k:${digestOf(`key ${number}`).slice(0, 32)}` : digestOf(`row ${number}`);
        const digest = digestOf(`${content}`);
        const earlier = seen.get(group);
        const expected = earlier ? { first: earlier.line, differs: earlier.digest !== digest } : null;
        expect(occurrences.add(group, digest, line)).toEqual(expected);
        if (!earlier) seen.set(group, { line, digest });
        expect(occurrences.placeOf(group)).toBe(seen.get(group)!.line);
      }
      expect(occurrences.placeOf(`k:${'0'.repeat(32)}`)).toBeNull();
    }),
  );
});

test('keeps every one of many groups when it grows', () => {
  const occurrences = new Occurrences();
  const groups = Array.from({ length: 20_000 }, (_, at) => `k:${digestOf(String(at)).slice(0, 32)}`);
  for (const [line, group] of groups.entries()) expect(occurrences.add(group, digestOf('x'), line)).toBeNull();
  for (const [line, group] of groups.entries()) expect(occurrences.placeOf(group)).toBe(line);
});
