// Events and bytes of history of each kind of workflow, the largest of its kind beside what the server allows, and what follows for a million rows.
import type { WorkflowExecutionInfo } from '@temporalio/client';
import { PAGE_ROWS, SECTION_PAGES } from '../../contracts/limits';
import { WORKFLOW } from '../../contracts/names';
import type { MapLab } from '../helpers/map-lab';
import { type Measured, onStage, rounded } from './stage';

/** Temporal warns at 10,240 events and 10 MB and ends a workflow at these. */
const MOST_EVENTS = 51_200;
const MOST_BYTES = 50 * 1024 * 1024;
const SECTIONS = 4;
/** What a worker takes as SLUICE_SECTION_PAGES. */
const LEAST_SECTION_PAGES = 2;
/** As many rows have the same input and share its call. */
const SHARERS = 10;
const MILLION = 1_000_000;

interface Size {
  events: number;
  bytes: number;
}

/** A closed workflow has its size in the list; one that is open is asked for it. */
async function sizeOf({ client }: MapLab, info: WorkflowExecutionInfo): Promise<Size> {
  const known =
    info.status.name === 'RUNNING' ? await client.workflow.getHandle(info.workflowId, info.runId).describe() : info;
  return { events: known.historyLength, bytes: known.historySize ?? 0 };
}

async function sizesByKind(lab: MapLab): Promise<Map<string, Size[]>> {
  const sizes = new Map<string, Size[]>();
  for await (const info of lab.client.workflow.list()) {
    sizes.set(info.type, [...(sizes.get(info.type) ?? []), await sizeOf(lab, info)]);
  }
  return sizes;
}

const largest = (sizes: readonly Size[]): Size => ({
  events: Math.max(...sizes.map(({ events }) => events)),
  bytes: Math.max(...sizes.map(({ bytes }) => bytes)),
});

const times = ({ events, bytes }: Size, factor: number): Size => ({
  events: Math.ceil(events * factor),
  bytes: Math.ceil(bytes * factor),
});

function told({ events, bytes }: Size): string {
  const share = Math.max(events / MOST_EVENTS, bytes / MOST_BYTES) * 100;
  return `${events} events, ${rounded(bytes / 1024, 1)} KiB, ${rounded(share)} % of the limit`;
}

/** A map in four sections of whole pages (two, where it has only four pages), two calls a row of which one is shared by ten rows. */
export function measureHistories(rows: number): Promise<Measured> {
  const pages = Math.ceil(rows / PAGE_ROWS);
  const sectionPages = Math.max(LEAST_SECTION_PAGES, Math.ceil(pages / SECTIONS));
  const options = {
    sim: { providers: { own: { price: 0.01, missRate: 0 }, shared: { price: 0.01, missRate: 0 } } },
    providers: { own: {}, shared: { share: 'all' as const } },
    environment: { SLUICE_SECTION_PAGES: String(sectionPages) },
  };
  return onStage(options, async (lab) => {
    await lab.workerProcess();
    const map = await lab.start({
      dataset: {
        rows: Array.from({ length: rows }, (_, n) => ({ n, domain: `d${Math.floor(n / SHARERS)}.example` })),
        key: 'n',
      },
      columns: [
        { name: 'own', tool: 'own.company', input: { domain: '{{ row.n & ".example" }}' } },
        { name: 'shared', tool: 'shared.company', input: { domain: '{{ row.domain }}' } },
      ],
    });
    const result = await map.result();
    const sizes = await sizesByKind(lab);
    const figures: Measured['figures'] = { 'rows done': result.rows.done };
    for (const [kind, all] of [...sizes].sort()) figures[`${kind}, largest of ${all.length}`] = told(largest(all));
    const sectionsOfMillion = MILLION / PAGE_ROWS / SECTION_PAGES;
    const section = sizes.get(WORKFLOW.mapSection);
    if (section) {
      figures[`mapSection of ${SECTION_PAGES} pages, from ${sectionPages}`] = told(
        times(largest(section), SECTION_PAGES / sectionPages),
      );
      figures[`datasetMap of ${MILLION} rows, ${sectionsOfMillion} sections, from ${section.length}`] = told(
        times(largest(sizes.get(WORKFLOW.datasetMap) ?? []), sectionsOfMillion / section.length),
      );
    }
    return { name: `histories of a map of ${rows} rows`, figures };
  });
}
