// Links and paths in the docs lead somewhere.
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { anchorOf, codeSpansOf, headingsOf, PAGES, proseOf, ROOT } from './markdown';

const FOLDERS = /^(?:contracts|workflows|activities|worker|client|examples|test|docs|scripts)\/[\w./-]*$/;
/** Paths that a snippet makes, or that stand for many. */
const MADE = ['workflows/maps/', 'activities/tools/vat-check.ts'];

const links = PAGES.flatMap((page) =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => [page, target!] as const),
).filter(([, target]) => !/^https?:/.test(target));

test.each(links)('%s: %s', (page, target) => {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), path));
  expect(existsSync(join(ROOT, file))).toBe(true);
  if (anchor !== undefined) expect(headingsOf(file).map(anchorOf)).toContain(anchor);
});

test.each(PAGES)('every path that %s names is there', (page) => {
  const paths = codeSpansOf(page).filter((span) => FOLDERS.test(span) && !MADE.includes(span));
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('every page is reached from the README', () => {
  const reached = links.filter(([page]) => page === 'README.md').map(([, target]) => target.split('#')[0]);
  expect(PAGES.filter((page) => page !== 'README.md' && !reached.includes(page))).toEqual([]);
});
