// The plainest fan-out there is: one child and one activity a row, a fixed number of rows open, nothing else.
import { executeChild, proxyActivities, workflowInfo } from '@temporalio/workflow';

const { work } = proxyActivities<{ work(row: number): Promise<string> }>({ startToCloseTimeout: '1 minute' });

export async function plainRow(row: number): Promise<string> {
  return work(row);
}

export async function plainMap({ rows, open }: { rows: number; open: number }): Promise<number> {
  const { workflowId } = workflowInfo();
  let next = 0;
  async function lane(): Promise<void> {
    while (next < rows) {
      const row = next;
      next += 1;
      await executeChild(plainRow, { workflowId: `${workflowId}/r/${row}`, args: [row] });
    }
  }
  await Promise.all(Array.from({ length: open }, lane));
  return rows;
}
