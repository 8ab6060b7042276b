// Every `assert` of the table of provider answers is carried out against a real HTTP server, by the id of its case.
import { type AnswerCase, answerCases } from '../activities/http/case-table';
import { ACCOUNT_STOPS } from './account-stops';
import { type Checks, difference } from './checks';
import { HOLDS } from './holds';
import { REQUESTS } from './requests';

const CHECKS: Checks = { ...ACCOUNT_STOPS, ...HOLDS, ...REQUESTS };

const asserting = answerCases.filter(({ expect }) => expect.assert !== undefined);

test('every case with an assert has a check, and every check has such a case', () => {
  expect(Object.keys(CHECKS).sort()).toEqual(asserting.map(({ id }) => id).sort());
});

test.each(asserting.map((one) => [one.id, JSON.stringify(one.expect.assert), one.why, one] as const))(
  '%s %s: %s',
  async (_id, _assert, _why, one: AnswerCase) => {
    const measured = await CHECKS[one.id]!(one);
    const wanted = Object.entries(one.expect.assert ?? {});
    expect(wanted.flatMap(([name, value]) => difference(name, value, measured[name]) ?? [])).toEqual([]);
  },
);
