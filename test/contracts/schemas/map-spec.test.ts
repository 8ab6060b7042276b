import { legsOf } from '../../../contracts/schemas/column-spec';
import { parseMapSpec } from '../../../contracts/schemas/map-spec';

const spec = () => ({
  name: 'companies',
  dataset: { csv: 'companies.csv', key: 'domain' },
  columns: [
    { name: 'firm', tool: 'acme.company', input: { domain: '{{ row.domain }}' } },
    { name: 'size', value: "{{ cells.firm.employees > 100 ? 'big' : 'small' }}" },
    {
      name: 'email',
      runIf: '{{ $exists(cells.firm) }}',
      waterfall: [
        { tool: 'acme.email', input: { domain: '{{ row.domain }}' }, account: 'second' },
        { tool: 'other.email', input: '{{ cells.firm }}' },
      ],
    },
  ],
  output: { csv: 'out/companies.csv' },
});

/** Problems of the spec after a change, as `path: message`. */
function problemsOf(change: object | ((raw: ReturnType<typeof spec>) => void)): string[] {
  const raw = spec();
  if (typeof change === 'function') change(raw);
  else Object.assign(raw, change);
  const reading = parseMapSpec(raw);
  return reading.ok ? [] : reading.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('a good spec', () => {
  test('gets its defaults', () => {
    const reading = parseMapSpec(spec());
    expect(reading).toEqual({
      ok: true,
      spec: {
        ...spec(),
        output: { csv: 'out/companies.csv', overwrite: false, rows: 'all' },
        concurrency: { rows: 200, parkedRows: 5000 },
        limits: {},
        onRowError: 'isolate',
      },
    });
  });

  test('reading it once more changes nothing', () => {
    const first = parseMapSpec(spec());
    expect(first.ok && parseMapSpec(first.spec)).toEqual(first);
  });

  test('may name a TypeScript map, rows and every other option', () => {
    const raw = {
      name: 'all',
      dataset: { rows: [{ a: 1 }], rowIdentity: 'source_row', dedupe: 'content', unsafeNumbers: 'string' },
      map: 'enrich',
      tools: ['acme.company'],
      output: {
        csv: 'a.csv',
        jsonl: 'a.jsonl',
        overwrite: true,
        rows: 'done',
        columns: ['a'],
        formulaSafe: true,
        excel: true,
      },
      concurrency: { rows: 2000, parkedRows: 0 },
      limits: { rows: 5 },
      cancelGrace: '2m',
      onRowError: 'fail',
    };
    expect(parseMapSpec(raw)).toEqual({ ok: true, spec: raw });
  });

  test('tells the tool calls of a column in order', () => {
    const reading = parseMapSpec(spec());
    const [firm, size, email] = reading.ok ? reading.spec.columns! : [];
    expect(legsOf(firm!)).toEqual([{ tool: 'acme.company', input: { domain: '{{ row.domain }}' } }]);
    expect(legsOf(size!)).toBeNull();
    expect(legsOf(email!)).toHaveLength(2);
  });
});

test('every problem is listed at once, also those that lie beside a wrong type', () => {
  const problems = problemsOf((raw) => {
    Object.assign(raw, {
      colums: [],
      name: '1st',
      dataset: { csv: 5, jsonl: 'x.jsonl' },
      cancelGrace: '5w',
      concurrency: { rows: 0 },
    });
    Object.assign(raw.columns[0]!, { value: 1, tol: 'x' });
    Object.assign(raw.columns[1]!, { name: 'firm', value: Number.NaN });
  });
  expect(problems).toEqual([
    'name: expected a name of up to 63 letters, digits, "_" or "-" that starts with a letter, found "1st"',
    'dataset.csv: expected the path of a CSV file, a list of them, or { env: NAME } or { file: PATH } of a URL, found 5',
    expect.stringMatching(
      /^columns\[0\]\.tol: unknown option "tol" \(did you mean "tool"\?\); known here: name, tool, /,
    ),
    'columns[1].value: expected a JSON value, found NaN',
    'concurrency.rows: expected a whole number from 1 to 2000, found 0',
    'cancelGrace: expected a duration such as 500ms, 5s, 2m, 24h or 7d, found "5w"',
    expect.stringMatching(/^colums: unknown option "colums" \(did you mean "columns"\?\)/),
    'dataset: expected exactly one of csv, jsonl, rows and postgres, found csv and jsonl',
    'columns[0]: expected exactly one of tool, value and waterfall, found tool and value',
    'columns[1].name: the name "firm" is taken by columns[0]',
  ]);
});

test.each([null, 5, 'name: x', [], undefined])('%j is no spec', (raw) => {
  const reading = parseMapSpec(raw);
  expect(reading).toMatchObject({ ok: false, problems: [{ path: '(document)' }] });
});

test('what is missing is called missing', () => {
  const reading = parseMapSpec({});
  expect(reading.ok || reading.problems).toEqual([
    { path: 'name', message: expect.stringMatching(/^expected a name .*, but it is missing$/) },
    {
      path: 'dataset',
      message: 'expected a dataset { csv | jsonl | rows | postgres, key | rowIdentity }, but it is missing',
    },
    {
      path: 'output',
      message: 'expected an output { csv, jsonl, postgres, overwrite?, rows?, columns? }, but it is missing',
    },
    { path: '(document)', message: 'expected exactly one of columns and map, found none' },
  ]);
});

describe('dataset', () => {
  const cases: [object, string][] = [
    [{ key: 'a' }, 'dataset: expected exactly one of csv, jsonl, rows and postgres, found none'],
    [{ csv: 'a', key: 'a', rowIdentity: 'source_row' }, 'dataset.rowIdentity: rowIdentity cannot be combined with key'],
    [{ csv: 'a', key: 'a', dedupe: 'content' }, 'dataset.dedupe: dedupe cannot be combined with key'],
    [{ csv: 'a', onDuplicateKey: 'last' }, 'dataset.onDuplicateKey: onDuplicateKey needs the option key'],
    [{ csv: 'a', maxRejects: 5 }, 'dataset.maxRejects: maxRejects needs onBadRecord: reject'],
    [{ jsonl: 'a', delimiter: ';' }, 'dataset.delimiter: delimiter is an option of csv, but the source is jsonl'],
    [
      { csv: 'a', unsafeNumbers: 'string' },
      'dataset.unsafeNumbers: unsafeNumbers is an option of jsonl, rows and postgres, but the source is csv',
    ],
    [{ rows: [], encoding: 'utf-8' }, 'dataset.encoding: encoding is an option of files, but the source is rows'],
    [{ rows: [5] }, 'dataset.rows[0]: expected a row as an object { column: value }, found 5'],
    [{ csv: 'a', key: [] }, 'dataset.key: expected at least one key column, found an empty list'],
    [{ csv: 'a', delimiter: ';;' }, 'dataset.delimiter: expected one ASCII character or "auto", found ";;"'],
  ];
  test.each(cases)('%j', (dataset, problem) => {
    expect(problemsOf({ dataset })).toEqual([problem]);
  });
});

describe('columns', () => {
  const column = (change: object) => (raw: ReturnType<typeof spec>) => {
    raw.columns[1] = { name: 'size', ...change } as never;
  };
  const cases: [object, string][] = [
    [{}, 'columns[1]: expected exactly one of tool, value and waterfall, found none'],
    [{ tool: 'acme.company' }, 'columns[1].input: expected the input of the tool, but it is missing'],
    [{ tool: 'company', input: {} }, 'columns[1].tool: expected a tool name such as acme.company, found "company"'],
    [{ value: 1, account: 'x' }, 'columns[1].account: account belongs to a tool, but the column has value'],
    [{ waterfall: [] }, 'columns[1].waterfall: expected at least one leg, found an empty list'],
    [{ waterfall: [{ tool: 'a.b' }] }, 'columns[1].waterfall[0].input: expected a JSON value, but it is missing'],
    [
      { value: { a: ['{{ row.x'] } },
      'columns[1].value.a[0]: "{{" at character 1 is never closed by "}}", in "{{ row.x"',
    ],
    [
      { value: 1, runIf: 'cells.firm' },
      'columns[1].runIf: expected one expression in {{ }}, found "cells.firm": write "{{ cells.firm }}"',
    ],
    [{ value: 1, runIf: 'x {{ row.a }}' }, 'columns[1].runIf: expected one expression in {{ }}, found "x {{ row.a }}"'],
    [
      { value: 1, runIf: true },
      'columns[1].runIf: expected one expression such as "{{ $exists(cells.firm) }}", found true',
    ],
    [
      { value: '{{ cells.size }}' },
      'columns[1].value: cells.size is this very column; only columns before it have a value',
    ],
    [{ value: '{{ cells.email }}' }, 'columns[1].value: cells.email is filled by columns[2], which comes later'],
    [
      { value: '{{ cells.frim }}' },
      'columns[1].value: cells.frim is no column (did you mean "firm"?); columns before this one: firm',
    ],
    [
      { waterfall: [{ tool: 'a.b', input: { x: 'a {{ cells.nobody }}' } }] },
      'columns[1].waterfall[0].input.x: cells.nobody is no column; columns before this one: firm',
    ],
  ];
  test.each(cases)('%j', (change, problem) => {
    expect(problemsOf(column(change))).toEqual([problem]);
  });

  test('a name with a hyphen is read with backticks, and the message says so', () => {
    const rename = (reference: string) => (raw: ReturnType<typeof spec>) => {
      raw.columns = [
        { name: 'my-firm', value: 1 },
        { name: 'size', value: `{{ ${reference} }}` },
      ] as never;
    };
    expect(problemsOf(rename('cells.`my-firm`'))).toEqual([]);
    expect(problemsOf(rename('cells.my-firm'))).toEqual([
      'columns[1].value: cells.my is no column (a name with "-" needs backticks: cells.`my-firm`); columns before this one: my-firm',
    ]);
  });

  test('there are 1 to 100 of them, or a map instead', () => {
    const many = Array.from({ length: 101 }, (_, index) => ({ name: `c${index}`, value: index }));
    expect(problemsOf({ columns: many })).toEqual(['columns: expected at most 100 columns, found a list of 101']);
    expect(problemsOf({ columns: [] })).toEqual(['columns: expected at least one column, found an empty list']);
    expect(problemsOf({ map: 'enrich' })).toEqual(['(document): expected exactly one of columns and map, found both']);
    expect(problemsOf({ tools: ['a.b', 'a.b'] })).toEqual([
      'tools: tools belongs to a TypeScript map; columns name their tools themselves',
      'tools[1]: "a.b" stands in the list already',
    ]);
  });

  test('a value of more than 128 levels is a problem, not a crash', () => {
    let deep: unknown = '{{ row.a }}';
    for (let level = 0; level < 20_000; level++) deep = [deep];
    expect(problemsOf(column({ value: deep }))).toEqual([
      'columns[1].value: expected at most 128 levels of lists and objects',
    ]);
  });
});

describe('output', () => {
  const cases: [object, string[]][] = [
    [{}, ['output: expected csv, jsonl, postgres or several of them, found none']],
    [{ csv: 'a', jsonl: 'a' }, ['output.jsonl: "a" is the path of the CSV table already']],
    [{ jsonl: 'a', excel: true }, ['output.excel: excel is an option of a CSV table, but csv is missing']],
    [{ csv: 'a', columns: ['x', 'x'] }, ['output.columns[1]: "x" stands in the list already']],
    [{ csv: 'a', rows: 'dnoe' }, ['output.rows: expected one of "all", "done", found "dnoe" (did you mean "done"?)']],
  ];
  test.each(cases)('%j', (output, problems) => {
    expect(problemsOf({ output })).toEqual(problems);
  });
});
