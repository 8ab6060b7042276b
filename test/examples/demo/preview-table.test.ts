// The preview at the end of the demo.
import { previewTable } from '../../../examples/demo/preview-table';

const CSV = 'domain,note,_status\r\na.example,"{""x"": 1}",done\r\nlonger.example,,missed\r\nc.example,,done\r\n';

test('shows the named columns that the table has, in order and aligned, and no more rows than asked for', () => {
  const preview = previewTable(CSV, { rows: 2, columns: ['_status', 'country', 'domain'], width: 80 });
  expect(preview).toBe(
    ['_status  domain', '-------  --------------', 'done     a.example', 'missed   longer.example'].join('\n'),
  );
});

test('cuts cells and lines with a sign that they are cut', () => {
  const preview = previewTable(`name\n${'x'.repeat(40)}\n`, { rows: 1, columns: ['name'], width: 10 });
  expect(preview.endsWith('\nxxxxxxxxx…')).toBe(true);
});
