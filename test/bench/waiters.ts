// Thousands of rows that wait for one call, which is held first and then answers with 30 KB.
import { type Measured, onStage, rounded, seconds } from './stage';

const ANSWER_BYTES = 30_000;
const HELD_MS = 90_000;

export function measureWaiters(rows: number): Promise<Measured> {
  const sim = {
    providers: {
      acme: {
        price: 0.01,
        missRate: 0,
        answerFilling: ANSWER_BYTES,
        closings: [{ atRequest: 1, durationMs: HELD_MS }],
      },
    },
  };
  return onStage({ sim, providers: { acme: { share: 'all' } } }, async (lab) => {
    await lab.workerProcess();
    const startedMs = performance.now();
    const map = await lab.start({
      dataset: { rows: Array.from({ length: rows }, (_, n) => ({ n })), key: 'n' },
      columns: [{ name: 'firm', tool: 'acme.company', input: { domain: 'one.example' } }],
      concurrency: { rows: 2000, parkedRows: 20_000 },
    });
    const { rows: statuses, counts } = await map.result();
    const whole = (await map.table()).filter(({ firm }) => JSON.stringify(firm).length > ANSWER_BYTES).length;
    const { executed = 0, attached = 0, reused = 0 } = counts.columns.firm ?? {};
    return {
      name: `${rows} rows wait for one call`,
      figures: {
        done: statuses.done,
        'rows with the whole answer': whole,
        bought: executed,
        attached,
        reused,
        'charges in the ledger': lab.sim.summary().charges,
        seconds: seconds(performance.now() - startedMs),
        'rows/s': rounded(rows / ((performance.now() - startedMs) / 1000), 1),
      },
    };
  });
}
