// The open pages of a map with sections: those of its open sections, which alone know them.
import { addCountTable, addRowCounts, noCountTable, noRowCounts } from '../contracts/counting';
import { sectionWorkflowId } from '../contracts/ids';
import { QUERY_CONCURRENCY } from '../contracts/limits';
import type { MapProgress, SectionProgress } from '../contracts/results';
import { inTurns } from './in-turns';

/**
 * The progress with pages in the place of sections, and what has ended in those added to the finished pages. A section without an
 * answer stays, and counts as of its last report.
 */
function withPagesOf(map: MapProgress, answers: ReadonlyMap<string, SectionProgress>): MapProgress {
  const rows = addRowCounts(noRowCounts(), map.settled.rows);
  const counts = addCountTable(noCountTable(), map.settled.counts);
  const openPages = map.openPages.flatMap((open) => {
    const section = answers.get(open.workflowId);
    if (!section) return [open];
    addRowCounts(rows, section.settled.rows);
    addCountTable(counts, section.settled.counts);
    return section.openPages;
  });
  return { ...map, settled: { rows, counts }, openPages };
}

/** Workflow ids of the open sections of a map; none when it drives its pages itself. */
export const openSectionIds = ({ mapId, openPages }: MapProgress): string[] =>
  openPages.flatMap(({ page, workflowId }) => (workflowId === sectionWorkflowId(mapId, page) ? [workflowId] : []));

/** Asks the open sections of a map, which is given back as it is when it has none. */
export async function withOpenSections(
  map: MapProgress,
  ask: (workflowId: string) => Promise<SectionProgress | null>,
): Promise<MapProgress> {
  const ids = openSectionIds(map);
  if (ids.length === 0) return map;
  const answers = await inTurns(ids, QUERY_CONCURRENCY, ask);
  return withPagesOf(map, new Map(ids.flatMap((id, at) => (answers[at] ? [[id, answers[at]] as const] : []))));
}
