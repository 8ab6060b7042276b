// Workers whose clocks differ by an hour behave the same: only durations travel from a worker to a workflow and to the shared gate.
import { join } from 'node:path';
import { domainRows, openMapLab } from '../helpers/map-lab';
import { rowIdsOf, rowResult } from '../helpers/row-history';

const HOUR_MS = 3_600_000;
/** Longer than a call may wait inside its activity, so that the wait is a durable timer. */
const CLOSED_MS = 9000;
const PRELOADED = `--require ${join(__dirname, '../helpers/shifted-clock.cjs')}`;

test('a closing is waited for as long as the provider asks, by workers an hour ahead and an hour behind', async () => {
  const lab = await openMapLab({
    sim: { providers: { acme: { missRate: 0, latencyMs: 50, closings: [{ atRequest: 6, durationMs: CLOSED_MS }] } } },
    providers: { acme: { limits: { concurrency: 4 } } },
  });
  try {
    const shifted = (shiftMs: number) =>
      lab.workerProcess({ NODE_OPTIONS: PRELOADED, SLUICE_TEST_CLOCK_SHIFT_MS: String(shiftMs) });
    await Promise.all([shifted(HOUR_MS), shifted(-HOUR_MS)]);
    const map = await lab.start({
      dataset: { rows: domainRows(40), key: 'domain' },
      columns: [{ name: 'firm', tool: 'acme.company', input: { domain: '{{ row.domain }}' } }],
    });
    expect(await map.result()).toMatchObject({ rows: { done: 40 } });
    expect(lab.sim.ledger.filter(({ closing }) => closing === 1).length).toBeLessThanOrEqual(4);
    const rows = await Promise.all((await rowIdsOf(lab.client, map.mapId)).map((id) => rowResult(lab.client, id)));
    const holds = rows.flatMap((row) => ('ledger' in row ? row.ledger.map((entry) => entry.holds) : []));
    // An instant that has passed by the workflow's clock would be asked for again and again.
    expect(Math.max(...holds)).toBeLessThanOrEqual(4);
    expect(holds.some((count) => count > 0)).toBe(true);
  } finally {
    await lab.close();
  }
}, 120_000);
