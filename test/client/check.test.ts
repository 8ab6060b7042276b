// `sluice check` as a person calls it: a process that reads spec, dataset and provider files, without any server.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useTemporaryFolder } from '../helpers/temporary-folder';
import { sluice } from './fixtures/captured-shell';

const folder = useTemporaryFolder();

const PROVIDER = `provider: acme
baseUrl: { env: NOWHERE_SET }
accounts: { default: { secret: { env: NOWHERE_SET_EITHER } } }
auth: { header: Authorization, value: "Bearer {secret}" }
tools:
  company:
    effect: read
    price: 0.02
    request: { method: GET, path: /v1/company }
  email:
    effect: read
    price: 0.05
    request: { method: GET, path: /v1/email }
`;

const SPEC = `name: firms
dataset: { csv: firms.csv, key: domain }
columns:
  - name: firm
    tool: acme.company
    input: { domain: "{{ row.domain }}" }
  - name: email
    runIf: "{{ cells.firm }}"
    waterfall:
      - { tool: acme.email, input: { domain: "{{ row.domain }}" } }
      - { tool: acme.company, input: { domain: "{{ row.domain }}" } }
output: { csv: out/firms.csv }
`;

beforeEach(async () => {
  await mkdir(join(folder(), 'providers'));
  await writeFile(join(folder(), 'providers', 'acme.provider.yaml'), PROVIDER);
  await writeFile(join(folder(), 'firms.csv'), 'domain,note\na.example,x\nA.example,y\na.example,z\nb.example,\n');
});

async function check(spec = SPEC, ...args: string[]) {
  await writeFile(join(folder(), 'firms.map.yaml'), spec);
  return sluice(['check', 'firms.map.yaml', ...args], { cwd: folder() });
}

test('tells rows, columns, first rows, duplicates by line, calls, cost and warnings, and leaves no trace', async () => {
  const { exitCode, stdout, stderr } = await check(SPEC, '--rows', '1');
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.split('\n')).toEqual([
    'firms.map.yaml would be admitted; nothing was started',
    'rows      3 to run, told apart by key (4 records, 1 duplicate, 1 of them with other content; 59 bytes)',
    'columns   domain, note',
    'line 2    {"domain":"a.example","note":"x"}',
    'duplicate line 4 repeats line 2, with other content',
    'calls     3 to 9, at most 3 for a row',
    '  tool           calls  price          cost',
    '  acme.company  3 to 6   0.02  0.06 to 0.12',
    '  acme.email    0 to 3   0.05     0 to 0.15',
    'cost      0.06 to 0.27',
    expect.stringMatching(/^warning {3}W_KEY_CONFUSABLE: .*lines 2 and 3/),
    expect.stringMatching(/^warning {3}W_KEY_CONFLICT: .*line 4 \(first at line 2\)/),
    '',
  ]);
  expect((await readdir(folder())).sort()).toEqual(['firms.csv', 'firms.map.yaml', 'providers']);
});

test('over several files each line has its file, and nobody is sent to a file that is gone', async () => {
  await writeFile(join(folder(), 'more.csv'), 'domain,note\na.example,x\nc.example,y,z\n');
  const spec = SPEC.replace('csv: firms.csv', 'csv: [firms.csv, more.csv], onBadRecord: reject');
  const { stdout } = await check(spec, '--rows', '0');
  expect(stdout).toContain('\nduplicate line 2 of more.csv repeats line 2 of firms.csv\n');
  expect(stdout).toMatch(/W_REJECTED: 1 record was set aside: line 3 of more\.csv E_ROW_WIDTH\n/);
  expect(stdout).not.toContain('sluice-check-');
});

test('all problems come together, each with its line in the spec', async () => {
  await mkdir(join(folder(), 'out'));
  await writeFile(join(folder(), 'out', 'firms.csv'), 'of another map');
  const spec = SPEC.replace('tool: acme.company\n', 'tool: acme.compnay\n')
    .replace('{{ cells.firm }}', '{{ cells.firm and }}')
    .replace('row.domain', 'row.domian');
  const { exitCode, stdout, stderr } = await check(spec);
  expect(exitCode).toBe(2);
  expect(stdout).toContain('would not be admitted');
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^INVALID_SPEC: firms\.map\.yaml has 4 problems/),
    expect.stringMatching(/firms\.map\.yaml:5:\d+ columns\[0\]\.tool: .*did you mean "acme\.company"/),
    expect.stringMatching(/firms\.map\.yaml:8:\d+ columns\[1\]\.runIf: not a JSONata expression/),
    expect.stringMatching(/firms\.map\.yaml:6:\d+ columns\[0\]\.input\.domain: row\.domian .*did you mean "domain"/),
    expect.stringMatching(/firms\.map\.yaml:12:\d+ output: .*out\/firms\.csv exists/),
  ]);
});

test.each([
  ['domain;note\na.example;x\n', 'domain', /if ";" separates the columns set delimiter: ";"/],
  ['Domain,note\na.example,x\n', 'domain', /did you mean "Domain"\?/],
  ['domain,note\na.example,"x\n', 'domain', /E_CSV_QUOTE_UNCLOSED/],
])('a dataset that cannot be read says why: %j', async (content, key, message) => {
  await writeFile(join(folder(), 'firms.csv'), content);
  const { exitCode, stderr } = await check(SPEC.replace('key: domain', `key: ${key}`));
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^DATASET_UNREADABLE: /);
  expect(stderr).toMatch(message);
});

test('a header without rows is admitted with a warning', async () => {
  await writeFile(join(folder(), 'firms.csv'), 'domain,note\n');
  const { exitCode, stdout } = await check();
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('W_NO_ROWS')]);
});

test('--json prints the whole report, also of a refused spec, with the code of each problem', async () => {
  const good = await check(SPEC, '--json', '--limit', '2');
  expect(JSON.parse(good.stdout)).toMatchObject({
    ok: true,
    problems: [],
    dataset: { columns: ['domain', 'note'], cardinality: { uniqueInputRows: 2, rowIdentity: 'key' }, pages: 1 },
    calls: { least: 2, most: 6, costMost: 0.18 },
  });
  const bad = await check(`${SPEC}limits: { rows: 0 }\n`, '--json');
  expect(bad.exitCode).toBe(2);
  const misspelt = await check(SPEC.replace('row.domain', 'row.dom'), '--json');
  expect(JSON.parse(misspelt.stdout)).toMatchObject({ ok: false, problems: [{ code: 'INVALID_SPEC' }] });
});

test('wrong provider files and missing ones are problems of their own, and the rest is checked all the same', async () => {
  await writeFile(join(folder(), 'providers', 'acme.provider.yaml'), PROVIDER.replace('GET', 'GTE'));
  const { exitCode, stdout, stderr } = await check();
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^PROVIDER_FILE_INVALID: [\s\S]*acme\.provider\.yaml:9 /);
  expect(stdout).toContain('rows      3 to run');
  const spec = join(folder(), 'firms.map.yaml');
  const elsewhere = await sluice(['check', spec], { cwd: folder(), env: { SLUICE_PROVIDERS: 'absent' } });
  expect(elsewhere.stderr).toMatch(/absent.*cannot be read.*SLUICE_PROVIDERS/);
});

test('a TypeScript map that no worker has is told with the names of those it has', async () => {
  const spec =
    'name: m\ndataset: { csv: firms.csv }\nmap: verified-emial\ntools: [acme.company]\noutput: { csv: o.csv }\n';
  const { exitCode, stderr } = await check(spec);
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/did you mean "verified-email"/)]);
});
