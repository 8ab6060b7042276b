// What `worker --help` prints: how a worker is started, and every setting it reads from its environment.
import { failureLine } from '../contracts/failures';

export const WORKER_HELP = `Usage: ./temporal-dev.sh worker   (or: npm run worker)

Runs maps until SIGTERM or Ctrl-C: calls that were sent may end, the others go back. A second signal ends it at once.
It takes no arguments. Settings come from the environment, read once at the start:

  SLUICE_PROVIDERS          folder of *.provider.yaml files (default: providers)
  SLUICE_DATA_ROOT          folder that relative paths of specs start from, and may not leave (default: the working folder)
  SLUICE_RUN_STORE          folder or postgres://user@host:port/database (default: .sluice/runs in the data root)
  SLUICE_PRIVATE_HOSTS      hosts at private addresses that datasets may be read from (default: none)
  SLUICE_HEARTBEAT_TIMEOUT  a worker that is silent for this long is lost, 3s to 10m (default: 30s)
  SLUICE_LEASE_TTL          without the server nothing is sent after this long, 3s to 1m (default: 10s)
  SLUICE_PARKED_AFTER       a row that is open for this long counts as parked, 1s to 10m (default: 30s)
  SLUICE_JOIN_AGAIN         a row asks its shared call again after hearing nothing for this long, 1s to 1h (default: 5m)
  SLUICE_PAGE_ROWS          most rows of a page, for tests, 1 to 250 (default: 250)
  SLUICE_SECTION_PAGES      most pages of a section, for tests, 2 to 200 (default: 200)
  SLUICE_CACHED_WORKFLOWS   workflows kept in memory, 10 to 100000 (default: 600)
  SLUICE_LOG_LEVEL          TRACE, DEBUG, INFO, WARN or ERROR (default: INFO)
  SLUICE_METRICS            host:port at which metrics can be read in the Prometheus format (default: nowhere)
  SLUICE_CRASH_AT           for crash tests only: ends the process at a named point

  TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_..., TEMPORAL_PROFILE: the server

and the variables that provider files name. docs/operate.md tells more.
`;

/** What to print for the arguments, and the exit code to end with; null = start. */
export function answerToArguments(args: readonly string[]): { text: string; exitCode: number } | null {
  const [first] = args;
  if (first === undefined) return null;
  if (args.some((arg) => arg === '--help' || arg === '-h')) return { text: WORKER_HELP, exitCode: 0 };
  const message = `a worker takes no arguments, got ${first}; see: ./temporal-dev.sh worker --help`;
  return { text: `${failureLine('CONFIG_INVALID', message)}\n`, exitCode: 2 };
}
