// Reading spec text: values and places for YAML and JSON, and syntax errors by line.
import { parseSpecText, pathSegments } from '../../client/spec-text';

const YAML = `name: companies
columns:
  - name: firm
    tool: acme.company
  - name: size
    value: 1
`;

const parsed = (text: string, file: string) => {
  const result = parseSpecText(text, file);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.spec;
};

describe('parseSpecText', () => {
  test('reads YAML and JSON to the same value', () => {
    const json = JSON.stringify(parsed(YAML, 'a.yaml').value);
    expect(parsed(json, 'a.json').value).toEqual(parsed(YAML, 'a.yaml').value);
  });

  test('tells line and column of a value', () => {
    expect(parsed(YAML, 'a.yaml').placeOf('columns[1].value')).toBe('a.yaml:6:12');
  });

  test('tells the place of the nearest part that is there when a value is missing', () => {
    expect(parsed(YAML, 'a.yaml').placeOf('columns[0].input.domain')).toBe('a.yaml:3:5');
  });

  test('tells the start of the document for a problem of the whole', () => {
    expect(parsed(YAML, 'a.yaml').placeOf('(document)')).toBe('a.yaml:1:1');
    expect(parsed('', 'a.yaml').placeOf('')).toBe('a.yaml:1:1');
  });

  test('refuses aliases that multiply without end', () => {
    const list = (name: string, of: string) => `${name}: &${name} [${Array(9).fill(of).join(', ')}]\n`;
    const laughs = ['x', '*a', '*b', '*c', '*d', '*e'].map((of, level) => list('abcdef'[level] ?? '', of)).join('');
    expect(parseSpecText(laughs, 'bad.yaml')).toEqual({
      ok: false,
      problems: [{ path: 'bad.yaml:1:1', message: expect.stringMatching(/alias/) }],
    });
  });

  test('lists every syntax error with its line', () => {
    const result = parseSpecText('name: [1, 2\ncolumns: }\n', 'bad.yaml');
    expect(result).toMatchObject({ ok: false });
    if (!result.ok) for (const problem of result.problems) expect(problem.path).toMatch(/^bad\.yaml:\d+:\d+$/);
  });

  test('refuses the same name twice', () => {
    const result = parseSpecText('name: a\nname: b\n', 'twice.yaml');
    expect(result).toMatchObject({ ok: false, problems: [{ path: 'twice.yaml:2:1' }] });
  });

  test('refuses in a .json file what only YAML allows', () => {
    expect(parseSpecText('{"name": "a",}', 'a.json')).toMatchObject({ ok: false });
    expect(parseSpecText('{"name": "a",}', 'a.yaml')).toMatchObject({ ok: true });
  });

  test('accepts JSON that is indented with tabs', () => {
    expect(parsed('{\n\t"name": "a",\n\t"list": [1, 2]\n}', 'a.json').value).toEqual({ name: 'a', list: [1, 2] });
  });
});

test('a path splits into names, indexes and quoted names', () => {
  expect(pathSegments('columns[2].input["first name"].x')).toEqual(['columns', 2, 'input', 'first name', 'x']);
});
