import jsonata from 'jsonata';
import type { Json } from '../../contracts/outcomes';
import { parseTemplate, renderTemplate, soleExpression, TemplateError, templateTexts } from '../../contracts/template';

const scope = { row: { domain: 'a.example', size: 7, tags: ['x', 'y'], none: null }, cells: {} };
const render = (template: Json) => renderTemplate(template, (expression) => jsonata(expression).evaluate(scope));

describe('splitting a text', () => {
  test('text and expressions alternate, spaces around an expression do not count', () => {
    expect(parseTemplate('a {{ row.x }}-{{row.y}} }} z')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'expression', expression: 'row.x' },
      { kind: 'text', text: '-' },
      { kind: 'expression', expression: 'row.y' },
      { kind: 'text', text: ' }} z' },
    ]);
    expect(parseTemplate('')).toEqual([]);
  });

  test.each([
    ['nested objects', '{"a": {"b": 1}}'],
    ['an object that ends right before the end', '{"a": 1}'],
    ['braces in double quotes', '"}}"'],
    ['braces in single quotes with an escaped quote', "'\\'}}'"],
    ['braces in backticks', '`a}}b`.c'],
    ['braces in a comment', '1 /* }} */'],
    ['braces in a regular expression', '$match(row.domain, /(a{2})|"|\\}\\}/)'],
    ['a division, which begins no regular expression', '(6 / 2) / 3 & "}}"'],
  ])('an expression may hold %s', (_, expression) => {
    expect(parseTemplate(`{{${expression}}}!`)).toEqual([
      { kind: 'expression', expression },
      { kind: 'text', text: '!' },
    ]);
  });

  test('a literal {{ is written as an expression', async () => {
    expect(await render('{{ "{{" }} row {{ row.size }}')).toBe('{{ row 7');
  });

  test.each([
    ['ab {{ row.x', '"{{" at character 4 is never closed by "}}"'],
    ['{{ {"a": 1 }}', '"{{" at character 1 is never closed by "}}"'],
    ['{{ "}}', '"{{" at character 1 is never closed by "}}"'],
    ['{{ }}', 'the expression at character 1 is empty'],
  ])('%j is refused with its place', (text, message) => {
    expect(() => parseTemplate(text)).toThrow(new TemplateError(message));
  });

  test('only a text that is one expression and nothing else is a sole expression', () => {
    expect(soleExpression(' {{ row.x }} ')).toBe('row.x');
    for (const text of ['row.x', '{{ row.x }}{{ row.y }}', 'a{{ row.x }}', '']) expect(soleExpression(text)).toBeNull();
  });
});

describe('rendering', () => {
  test('a text that is one expression gives its value of any type', async () => {
    expect(
      await render({
        n: '{{ row.size }}',
        list: '{{ row.tags }}',
        nothing: '{{ row.none }}',
        yes: '{{ row.size > 1 }}',
      }),
    ).toEqual({
      n: 7,
      list: ['x', 'y'],
      nothing: null,
      yes: true,
    });
  });

  test('mixed text joins: nothing is empty, other values are JSON', async () => {
    expect(await render('<{{ row.domain }}|{{ row.missing }}|{{ row.size }}|{{ row.tags }}|{{ row.none }}>')).toBe(
      '<a.example||7|["x","y"]|null>',
    );
  });

  test('what has no value is dropped from an object, null in a list, and undefined as a whole', async () => {
    expect(await render({ a: '{{ row.missing }}', b: ['{{ row.missing }}', { c: '{{ row.missing }}' }] })).toEqual({
      b: [null, {}],
    });
    expect(await render('{{ row.missing }}')).toBeUndefined();
  });

  test('values that are no text are kept, names are never templates', async () => {
    const template = { '{{ row.x }}': [1, true, null, 'plain'], ['__proto__']: 'own' };
    expect(await render(template)).toEqual(template);
    expect(Object.keys((await render(template)) as object)).toEqual(['{{ row.x }}', '__proto__']);
  });

  test('expressions are evaluated one after the other, so that the first failure is always the same one', async () => {
    const seen: string[] = [];
    const failing = renderTemplate({ a: '{{ one }}', b: ['{{ two }}', '{{ three }}'] }, async (expression) => {
      seen.push(expression);
      if (expression === 'two') throw new Error('no two');
    });
    await expect(failing).rejects.toThrow('no two');
    expect(seen).toEqual(['one', 'two']);
  });
});

test('the texts of a template come with their paths', () => {
  expect([...templateTexts({ a: ['x', { b: 'y' }], n: 1 })]).toEqual([
    { at: ['a', 0], text: 'x' },
    { at: ['a', 1, 'b'], text: 'y' },
  ]);
});
