// A crowd that waits for one shared call: more rows than one run of it takes in, and an answer that one message cannot carry for all.
import { type MapLab, openMapLab } from '../helpers/map-lab';

jest.setTimeout(180_000);

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: {
      providers: {
        crowded: { price: 0.01, missRate: 0, answerFilling: 30_000, closings: [{ atRequest: 1, durationMs: 25_000 }] },
      },
    },
    providers: { crowded: { share: 'all' } },
  });
  await lab.worker();
});
afterAll(() => lab.close());

test('five hundred rows wait for one call through its hold, and each gets the whole answer of 30 KB', async () => {
  const map = await lab.start({
    dataset: { rows: Array.from({ length: 520 }, (_, n) => ({ n })), key: 'n' },
    columns: [{ name: 'firm', tool: 'crowded.company', input: { domain: 'one.example' } }],
    concurrency: { rows: 600 },
  });
  const { rows, counts } = await map.result();
  expect(rows).toMatchObject({ done: 520 });
  const { executed = 0, attached = 0, reused = 0 } = counts.columns.firm ?? {};
  expect({ executed, others: attached + reused }).toEqual({ executed: 1, others: 519 });
  const whole = (await map.table()).filter(({ firm }) => (firm as { filling: string }).filling.length === 30_000);
  expect(whole).toHaveLength(520);
});
