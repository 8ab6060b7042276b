// A workflow that computes for too long takes its worker down, again and again: expressions are stopped before that, by count.
import { EXPRESSION_STEPS } from '../../contracts/limits';
import { ExpressionError, renderValue } from '../../workflows/expressions';

const scope = { row: { domain: 'a.example' }, cells: {}, run: { id: 'run', map: 'map' } };
/** Two evaluations for each number. */
const longWork = (numbers: number) => `$count([1..${numbers}].('x'))`;

test('the expressions of a row have one budget of evaluations together, and the one that exceeds it fails with its text', async () => {
  expect(await renderValue("{{ $uppercase(row.domain) & '!' }}", scope)).toBe('A.EXAMPLE!');
  const most = Math.floor(EXPRESSION_STEPS / 2) - 50;
  expect(await renderValue(`{{ ${longWork(most)} }}`, scope)).toBe(most);
  await expect(renderValue(`{{ ${longWork(most)} }}`, scope)).rejects.toThrow(ExpressionError);
  await expect(renderValue(`{{ ${longWork(most)} }}`, scope)).rejects.toThrow(
    `${longWork(most)}: more than ${EXPRESSION_STEPS} evaluations in one row`,
  );
});
