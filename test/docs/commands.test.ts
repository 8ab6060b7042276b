// Every command that the docs show exists, with each of its flags: sluice, temporal-dev.sh, npm, npx and the Temporal CLI.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sluice } from '../client/fixtures/captured-shell';
import { temporalCliPath } from '../helpers/dev-server';
import { allBlocks, codeSpansOf, PAGES, ROOT } from './markdown';

const run = promisify(execFile);
/** Commands of every shell; nothing of ours is in them. */
const ORDINARY = ['export', 'alias', 'mkdir', 'cd', 'cat', 'kill', 'until', 'curl'];

const flagsOf = (text: string): string[] =>
  [...text.matchAll(/(?<=\s)(--[a-z][a-z-]*|-[a-z])(?=[\s=]|$)/g)].map(([, flag]) => flag!);
const withoutQuotes = (text: string): string => text.replace(/"[^"]*"|'[^']*'/g, 'x');

const helps = new Map<string, Promise<string>>();
function once(name: string, ask: () => Promise<string>): Promise<string> {
  const known = helps.get(name) ?? ask();
  helps.set(name, known);
  return known;
}

async function missingFlags(help: string, text: string): Promise<string[]> {
  return flagsOf(withoutQuotes(text)).filter((flag) => !new RegExp(`(^|[\\s,])${flag}\\b`, 'm').test(help));
}

async function problemsOfSluice(verbs: string, rest: string): Promise<string[]> {
  const problems: string[] = [];
  for (const verb of verbs.split('|')) {
    if (verb.startsWith('-')) continue;
    const { stdout, exitCode } = await sluice([...verb.split(' '), '--help']);
    if (exitCode !== 0 || !stdout.startsWith(`Usage: sluice ${verb}`)) problems.push(`no verb ${verb}`);
    else problems.push(...(await missingFlags(stdout, rest)).map((flag) => `sluice ${verb} has no ${flag}`));
  }
  return problems;
}

async function problemsOfTemporal(words: string): Promise<string[]> {
  const verb = /^(?:[a-z-]+ )*[a-z-]+(?=\s|$)/.exec(words.replace(/ -.*| <.*/, ''))?.[0] ?? '';
  const help = await once(
    verb,
    async () => (await run(await temporalCliPath(), [...verb.split(' '), '--help'])).stdout,
  );
  if (!help.includes(`temporal ${verb}`)) return [`the Temporal CLI has no ${verb}`];
  return (await missingFlags(help, words)).map((flag) => `temporal ${verb} has no ${flag}`);
}

async function problemsOfDeveloperScript(words: string): Promise<string[]> {
  const help = await once('temporal-dev.sh', async () => (await run(join(ROOT, 'temporal-dev.sh'), ['--help'])).stdout);
  const [first = ''] = words.trim().split(/\s+/);
  if (!/^[a-z-]/.test(first)) return [];
  if (first === 'sluice') return problemsOfSluice(...split(words.trim().slice('sluice '.length)));
  return new RegExp(`^ {2}${first}\\b`, 'm').test(help) ? [] : [`temporal-dev.sh has no ${first}`];
}

function problemsOfNpm(words: string): string[] {
  const [runner, first = ''] = words.split(' ');
  if (runner === 'npx')
    return existsSync(join(ROOT, 'node_modules', '.bin', first)) ? [] : [`nothing is installed as ${first}`];
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const script = /^npm run ([\w:-]+)/.exec(words)?.[1];
  return script === undefined || script in scripts ? [] : [`package.json has no script ${script}`];
}

/** The verb, which has two words for gates and unknown calls, and what follows it. */
function split(text: string): [string, string] {
  const verb = /^(?:gate|unknown) [a-z]+|^\S+/.exec(text)?.[0] ?? '';
  return [verb, text.slice(verb.length)];
}

/** null = a line that no rule of this file knows. */
async function problemsOf(command: string): Promise<string[] | null> {
  const script = /temporal-dev\.sh"?(?=\s|$|\))/.exec(command);
  const ours = /^(?:\.\/|"\$SLUICE\/|SLUICE_|\(?cd )/.test(command) && script !== null;
  if (ours) return problemsOfDeveloperScript(command.slice(script.index + script[0].length).replace(/[>)&].*/, ''));
  if (/^sluice [a-z-]/.test(command))
    return problemsOfSluice(...split(command.slice('sluice '.length).replace(/ >.*/, '')));
  if (/^temporal [a-z]/.test(command)) return problemsOfTemporal(command.slice('temporal '.length));
  const npx = /\bnpx .*/.exec(command);
  if (npx) return problemsOfNpm(npx[0]);
  if (command.startsWith('npm ')) return problemsOfNpm(command);
  const program = /\bnode --import tsx (\S+)/.exec(command)?.[1];
  if (program) return existsSync(join(ROOT, program)) ? [] : [`there is no ${program}`];
  return ORDINARY.some((word) => command.startsWith(`${word} `)) ? [] : null;
}

const lines = allBlocks()
  .filter(({ language }) => language === 'sh')
  .flatMap(({ page, text }) => text.split('\n').map((line) => [page, line.replace(/\s+#.*/, '').trim()] as const))
  .filter(([, line]) => line !== '');

const spans = PAGES.flatMap((page) => codeSpansOf(page).map((span) => [page, span] as const)).filter(
  ([, span]) => /^(?:sluice|temporal|npm|npx|\.\/temporal-dev\.sh) [\w-]/.test(span) && !span.includes('…'),
);

test.each(lines)('%s: the line "%s" can be typed', async (_, line) => {
  expect(await problemsOf(line)).toEqual([]);
});

test.each(spans)('%s names "%s", which exists', async (_, span) => {
  expect((await problemsOf(span)) ?? []).toEqual([]);
});
