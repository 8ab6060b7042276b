// Pages are written one at a time and in order, while the next one is read.
import { Pager } from '../../../activities/datasets/pager';
import { row } from '../../conformance/run-store';

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
  const pager = new Pager(LIMITS, (page) => {
    begun.push(page);
    return writes[page]!.promise;
  });
  for (let ordinal = 0; ordinal < 4; ordinal += 1) await pager.add(row(ordinal), 10);
  expect(begun).toEqual([0]);
  const blocked = pager.add(row(4), 10);
  writes[0]!.resolve();
  await blocked;
  expect(begun).toEqual([0, 1]);
  writes[1]!.resolve();
  writes[2]!.resolve();
  await pager.flush();
  expect(begun).toEqual([0, 1, 2]);
  expect(pager.pageRows).toEqual([2, 2, 1]);
});

test('a write that failed is told by the next page or the end, and waiting for it is quiet', async () => {
  const pager = new Pager(LIMITS, () => Promise.reject(new Error('disk full')));
  for (let ordinal = 0; ordinal < 3; ordinal += 1) await pager.add(row(ordinal), 10);
  await pager.settle();
  await expect(pager.flush()).rejects.toThrow('disk full');
});
