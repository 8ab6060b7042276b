// Kills workers and the server at random moments while maps run one after the other, until the time is up.
import { setTimeout as pause } from 'node:timers/promises';
import { CRASH_POINTS } from '../../activities/crash-points';
import type { WorkerProcess } from '../../examples/demo/worker-process';
import type { DevServer } from '../helpers/dev-server';
import type { MapLab, StartedMap } from '../helpers/map-lab';
import { chaosMap } from './chaos-lab';
import { pick, randomOf } from './random';
import { signalsTwice } from './signals-twice';

export interface ChaosOptions {
  seconds: number;
  seed: number;
  workers: number;
  rows: number;
}

export interface ChaosRun {
  maps: { map: StartedMap; domains: string[] }[];
  /** SIGKILLs at any moment, ends at a named point, and kills of the server. */
  kills: { anyMoment: number; atPoint: number; server: number };
  /** Signals that were delivered a second time. */
  signals: number;
}

/** Part of the workers that end by themselves at a named point, the how-manieth time it is reached. */
const DOOMED = 0.4;
const SERVER_KILLS = 0.03;
const SIGNALS_TWICE = 0.2;
const MOST_PAUSE_MS = 1000;

/** Says on standard error what it does. `stopped`: ends the killing early; the last map is brought to its end all the same. */
export async function runChaos(
  lab: MapLab,
  server: DevServer,
  { seconds, seed, workers: count, rows }: ChaosOptions,
  stopped: AbortSignal,
): Promise<ChaosRun> {
  const random = randomOf(seed);
  const run: ChaosRun = { maps: [], kills: { anyMoment: 0, atPoint: 0, server: 0 }, signals: 0 };
  const endMs = Date.now() + seconds * 1000;
  const isOver = () => Date.now() >= endMs || stopped.aborted;
  const workers: (WorkerProcess | null)[] = Array.from({ length: count }, () => null);

  /** Keeps one place filled. A worker that ends by itself while the chaos lasts reached its point. */
  async function keep(place: number): Promise<void> {
    while (!isOver()) {
      const point = random() < DOOMED ? `${pick(random, CRASH_POINTS)}:${1 + Math.floor(random() * 10)}` : undefined;
      const worker = await lab.workerProcess(point ? { SLUICE_CRASH_AT: point } : {}).catch(() => null);
      if (!worker) continue; // the server is away just now
      workers[place] = worker;
      await worker.gone;
      if (workers[place] === worker && !isOver()) run.kills.atPoint += 1;
      if (workers[place] === worker) workers[place] = null;
    }
  }

  async function kill(): Promise<void> {
    while (!isOver()) {
      await pause(random() * MOST_PAUSE_MS);
      const drawn = random();
      if (drawn < SERVER_KILLS) {
        await server.kill();
        await server.restart();
        run.kills.server += 1;
        continue;
      }
      const drawnPlace = Math.floor(random() * count);
      const places = workers.map((_, place) => (place + drawnPlace) % count);
      const place = places.find((one) => workers[one]) ?? drawnPlace;
      const worker = workers[place];
      const last = run.maps.at(-1);
      if (drawn < SERVER_KILLS + SIGNALS_TWICE && last) {
        run.signals += await signalsTwice(lab, last.map.mapId).catch(() => 0); // the map may just have ended
      } else if (worker) {
        workers[place] = null;
        run.kills.anyMoment += 1;
        await worker.kill();
      }
    }
  }

  async function start(): Promise<void> {
    const number = run.maps.length;
    const { spec, domains } = chaosMap(number, rows);
    const map = await again(() => lab.start(spec, `chaos-${number}`));
    run.maps.push({ map, domains });
    process.stderr.write(`map ${number} with ${rows} rows\n`);
  }

  async function runMaps(): Promise<void> {
    do {
      await start();
      await again(() => (run.maps.at(-1) as { map: StartedMap }).map.result());
    } while (!isOver());
  }

  const places = workers.map((_, place) => keep(place));
  const killing = kill();
  const maps = runMaps();
  await killing;
  // Whoever is left brings the last map to its end, with one more that has no point to end at.
  const rescue = await lab.workerProcess();
  await maps;
  for (const worker of workers) await worker?.kill();
  await Promise.all(places);
  await rescue.stop();
  return run;
}

/** Until the server is there again. A map that it had started already is looked for, not started twice. */
async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!/UNAVAILABLE|Unexpected error|connect|CANCELLED|DEADLINE/i.test(String(error))) throw error;
      await pause(500);
    }
  }
}
