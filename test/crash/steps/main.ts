// The process that is killed: it brings the map of the process before it to its end and says what is to be seen, then begins a new one, and ends at the wanted step.
import { clearPlace, runSmallMap, type SmallMapPlace, seenIn } from './small-map';
import { killAtStep } from './step-killer';

/** `goesOn`: an earlier process died with its map; `killAt`: step of the new map, null for none. */
export interface StepOrder extends SmallMapPlace {
  goesOn: boolean;
  killAt: number | null;
}

/** One line of JSON on standard output. `steps`: of the new map, which was not killed. */
export interface StepReport {
  seen?: { [what: string]: unknown };
  steps?: number;
}

const report = (line: StepReport) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function main({ goesOn, killAt, ...place }: StepOrder): Promise<void> {
  if (goesOn) {
    await runSmallMap(place, () => undefined);
    report({ seen: await seenIn(place) });
  }
  await clearPlace(place);
  const killer = await killAtStep(killAt);
  await runSmallMap(place, killer.step);
  const steps = killer.steps();
  report({ seen: await seenIn(place), steps });
}

void main(JSON.parse(process.argv[2] as string) as StepOrder);
