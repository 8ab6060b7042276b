import fc from 'fast-check';
import jsonata from 'jsonata';
import { isTruthy } from '../../contracts/truthy';

test('a JSON value is true exactly when JSONata says so', async () => {
  const boolean = jsonata('$boolean(value)');
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (value) => {
      expect(isTruthy(value)).toBe((await boolean.evaluate({ value })) ?? false);
    }),
    { numRuns: 300, examples: [['0'], [''], [0], [[]], [[0]], [[[]]], [[0, 1]], [{}], [null], [[{}]]] },
  );
});
