// The smallest whole map in the order in which its workflow asks for it: admission, two flushes, the end; and everything it leaves to be seen.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { createAdmitMap } from '../../../activities/admit-map';
import { createFinishMap } from '../../../activities/finish-map';
import { createLocalRunStore } from '../../../activities/store/local-run-store';
import { createPostgresRunStore } from '../../../activities/store/postgres-run-store';
import { createToolRegistry } from '../../../activities/tools/tool-registry';
import { createWriteResults } from '../../../activities/write-results';
import { FILE_CHUNK_BYTES, PAGE_ROWS, SECTION_PAGES } from '../../../contracts/limits';
import type { RowOutcome } from '../../../contracts/results';
import { inActivity } from '../../helpers/activity-context';

const MAP = { mapId: 'm', runId: 'run-1' };
const DATABASE_URL = 'SLUICE_STEPS_URL';
const KEYS = ['a', 'b', 'c'];
/** One row of the table is written in two pieces. */
const LONG = 'é'.repeat(FILE_CHUNK_BYTES / 2 + 1);

/** `url`: the database of run store and table; null for a run store in the folder, and a CSV beside the JSON Lines. */
export interface SmallMapPlace {
  folder: string;
  url: string | null;
}

/** Tells of each activity that has returned: its result is not recorded yet, so a crash repeats it. */
export type ActivityReturned = () => void;

const spec = ({ url }: SmallMapPlace) => ({
  name: 'small',
  dataset: { csv: 'rows.csv', key: 'key' },
  columns: [{ name: 'note', value: 'x' }],
  output: {
    jsonl: 'out/t.jsonl',
    ...(url === null ? { csv: 'out/t.csv' } : { postgres: { url: { env: DATABASE_URL }, table: 't' } }),
  },
});

function openStore({ folder, url }: SmallMapPlace) {
  if (url === null) return { store: createLocalRunStore({ root: join(folder, 'runs') }), close: async () => undefined };
  const store = createPostgresRunStore({ url, localRoot: join(folder, 'runs') });
  return { store, close: () => store.close() };
}

function outcomeOf(identity: string, ordinal: number): RowOutcome {
  const note = ordinal === 1 ? LONG : `of ${identity}`;
  return { identity, ordinal, status: 'done', cells: { note }, skipped: [], ledger: [] };
}

/** Runs the map from its beginning, as an engine does that knows no result of its activities. */
export async function runSmallMap(place: SmallMapPlace, returned: ActivityReturned): Promise<void> {
  const { folder, url } = place;
  if (url !== null) process.env[DATABASE_URL] = url;
  const { store, close } = openStore(place);
  const admitMap = createAdmitMap({
    store,
    tools: createToolRegistry({ providers: [], codeTools: [] }),
    dataRoot: folder,
    privateHosts: [],
    timing: { heartbeatTimeoutMs: 30_000, parkedAfterMs: 30_000 },
    sizes: { pageRows: PAGE_ROWS, sectionPages: SECTION_PAGES },
    clock: { wallMs: () => 1, monotonicMs: () => 1 },
    settlements: { settled: async () => null },
    isRunning: async (mapId) => mapId === MAP.mapId,
  });
  const reach = () => undefined;
  const writeResults = createWriteResults({ store, reach });
  const finishMap = createFinishMap({ store, dataRoot: folder, reach });
  await inActivity(() => admitMap({ ...MAP, spec: spec(place), maps: [] }));
  returned();
  const outcomes = (await store.readPage('m', 0)).map(({ identity, ordinal }) => outcomeOf(identity, ordinal));
  for (const [part, rows] of [outcomes.slice(1), outcomes.slice(0, 1)].entries()) {
    await writeResults({ mapId: 'm', page: 0, part, outcomes: rows });
    returned();
  }
  const end = { status: 'completed' as const, openedPages: 1, withoutResult: [], warnings: [] };
  await inActivity(() => finishMap({ ...MAP, ...end, startedAtMs: 1, endedAtMs: 2 }));
  returned();
  await close();
}

async function inDatabase<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Takes everything away that an earlier map has left, and puts the source there. */
export async function clearPlace({ folder, url }: SmallMapPlace): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'rows.csv'), `key\n${KEYS.join('\n')}\n`);
  if (url !== null) {
    await inDatabase(url, (client) => client.query('drop schema if exists sluice cascade; drop table if exists t'));
  }
}

const digest = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Everything that a map leaves: the digest of each file beside its tables, the parts, the rows of the database. */
export async function seenIn(place: SmallMapPlace): Promise<{ [what: string]: unknown }> {
  const { folder, url } = place;
  const seen: { [what: string]: unknown } = {};
  for (const name of (await readdir(join(folder, 'out'))).sort()) {
    seen[name] = digest(await readFile(join(folder, 'out', name)));
  }
  const { store, close } = openStore(place);
  seen.parts = await store.listParts('m', 0);
  await close();
  if (url !== null) {
    const sql = "select encode(_identity, 'hex') as identity, t.* from t order by 1";
    const { rows } = await inDatabase(url, (client) => client.query(sql));
    seen.rows = rows.length;
    seen.table = digest(JSON.stringify(rows));
  }
  return seen;
}
