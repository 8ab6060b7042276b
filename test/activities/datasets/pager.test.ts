// Pages are written one at a time and in order, while the next one is read.
import { Pager } from '../../../activities/datasets/pager';

const LIMITS = { pageRows: 2, pageBytes: 1000 };

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((onResolve) => {
    resolve = onResolve;
  });
  return { promise, resolve: () => resolve() };
}

test('reading is one page ahead of writing, and no more', async () => {
  const writes = [deferred(), deferred(), deferred()];
  const begun: number[] = [];
  const texts: string[] = [];
  const pager = new Pager(LIMITS, (page, text) => {
    begun.push(page);
    texts.push(text.toString());
    return writes[page]!.promise;
  });
  for (let ordinal = 0; ordinal < 4; ordinal += 1) await pager.add(`${ordinal}`);
  expect(begun).toEqual([0]);
  const blocked = pager.add('4');
  writes[0]!.resolve();
  await blocked;
  expect(begun).toEqual([0, 1]);
  writes[1]!.resolve();
  writes[2]!.resolve();
  await pager.flush();
  expect(begun).toEqual([0, 1, 2]);
  expect(pager.pageRows).toEqual([2, 2, 1]);
  expect(texts).toEqual(['0\n1\n', '2\n3\n', '4\n']);
});

test('a page is full at its bytes, line feeds and all, and takes a row of any size alone', async () => {
  const pages: string[] = [];
  const pager = new Pager({ pageRows: 10, pageBytes: 100_000 }, async (_page, text) => {
    pages.push(text.toString());
  });
  const rows = ['é'.repeat(20_000), 'b'.repeat(59_990), 'c'.repeat(300_000), 'd'];
  for (const one of rows) await pager.add(one);
  await pager.flush();
  expect(pages).toEqual([`${rows[0]}\n${rows[1]}\n`, `${rows[2]}\n`, 'd\n']);
});

test('a write that failed is told by the next page or the end, and waiting for it is quiet', async () => {
  const pager = new Pager(LIMITS, () => Promise.reject(new Error('disk full')));
  for (let ordinal = 0; ordinal < 3; ordinal += 1) await pager.add(`${ordinal}`);
  await pager.settle();
  await expect(pager.flush()).rejects.toThrow('disk full');
});
