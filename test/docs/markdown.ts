// Reads the Markdown pages of the repository: headings, fenced blocks, code spans, links.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(__dirname, '../..');

/** Pages that this folder tests, from the root of the repository. */
export const PAGES = [
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  'docs/architecture.md',
  'docs/errors.md',
  'docs/operate.md',
  'docs/add-a-tool.md',
  'docs/add-a-provider.md',
  'docs/write-a-map.md',
] as const;

/** A fenced block. The words after the language say what it is, such as `yaml provider providers/acme.provider.yaml`. */
export interface Block {
  page: string;
  /** Line of its first fence, from 1. */
  line: number;
  language: string;
  kind: string;
  /** File name that the page gives it. */
  file: string | null;
  text: string;
}

export const readPage = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: (Block & { lines: string[] }) | null = null;
  for (const [index, line] of readPage(page).split('\n').entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (fence && open) {
      const { lines, ...block } = open;
      blocks.push({ ...block, text: lines.map((one) => `${one}\n`).join('') });
      open = null;
    } else if (fence) {
      const [language = '', kind = '', file = null] = fence[1]!.split(' ');
      open = { page, line: index + 1, language, kind, file, text: '', lines: [] };
    } else open?.lines.push(line);
  }
  if (open) throw new Error(`${page}:${open.line}: a block is never closed`);
  return blocks;
}

export const allBlocks = (): Block[] => PAGES.flatMap(blocksOf);

/** The page without its fenced blocks. */
export const proseOf = (page: string): string => readPage(page).replace(/^```.*\n[\s\S]*?^```$/gm, '');

export const headingsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);

export const codeSpansOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);

/** The anchor that GitHub gives to a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
