// Every answer of the table is read as the table says, and in every time zone alike.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { profileNames } from '../../../activities/http/profiles/registry';
import { answerCases, differences } from './case-table';

const run = promisify(execFile);
const printer = join(__dirname, 'print-case-differences.ts');

describe('the table of provider answers', () => {
  test('has 172 cases of providers that all have a profile', () => {
    expect(answerCases).toHaveLength(172);
    const providers = new Set(answerCases.map((one) => one.provider));
    expect([...providers].filter((provider) => !profileNames.includes(provider))).toEqual([]);
  });

  test.each(answerCases.map((one) => [one.id, one.why, one] as const))('%s %s', (_id, _why, one) => {
    expect(differences(one)).toEqual([]);
  });
});

test.each(['UTC', 'America/New_York', 'Pacific/Apia'])(
  'the table is read alike with the process in %s',
  async (zone) => {
    const { stdout } = await run(process.execPath, ['--import', 'tsx', printer], {
      env: { ...process.env, TZ: zone },
    });
    expect(JSON.parse(stdout)).toEqual({ zone, cases: 172, differences: [] });
  },
);
