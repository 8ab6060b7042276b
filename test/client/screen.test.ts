// Redrawing in place.
import { redraw } from '../../client/screen';

test('the first block is only written', () => {
  expect(redraw(0, ['a', 'b'], 80)).toBe('\u001b[Ja\nb\n');
});

test('the next block goes up over the last one and clears what was below', () => {
  expect(redraw(2, ['c'], 80)).toBe('\u001b[2A\r\u001b[Jc\n');
});

test('a line that would wrap is cut, or the next redraw would leave its rest', () => {
  expect(redraw(0, ['123456'], 5)).toBe('\u001b[J1234…\n');
});
