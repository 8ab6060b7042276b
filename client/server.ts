// A connection for the length of one verb, and its errors turned into words: unreachable, refused, no such namespace.
import { Client, Connection, isGrpcServiceError, NamespaceNotFoundError } from '@temporalio/client';
import { CONNECT_TIMEOUT_MS, QUERY_TIMEOUT_MS } from '../contracts/limits';
import { CommandError } from './command-error';
import type { ConnectionSettings } from './connection-settings';

/** The gRPC status codes that are told apart here; their numbers are fixed by gRPC. */
export const GRPC = {
  cancelled: 1,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  failedPrecondition: 9,
  unavailable: 14,
  unauthenticated: 16,
} as const;

export interface Server extends ConnectionSettings {
  connection: Connection;
  client: Client;
}

/** Connects, runs `use`, closes. Throws CommandError for what a person can mend, everything else as it came. */
export async function withServer<T>(settings: ConnectionSettings, use: (server: Server) => Promise<T>): Promise<T> {
  const connection = Connection.lazy({ ...settings.options, connectTimeout: CONNECT_TIMEOUT_MS });
  try {
    await connection.ensureConnected().catch((error: unknown) => {
      throw grpcCode(error) === undefined ? unreachable(settings, (error as Error).message) : error;
    });
    return await use({ ...settings, connection, client: new Client({ connection, namespace: settings.namespace }) });
  } catch (error) {
    throw await explained(error, settings, connection);
  } finally {
    await connection.close();
  }
}

/** Runs one request with the time limit of a query. */
export const withinTime = <T>(server: Server, request: () => Promise<T>): Promise<T> =>
  server.connection.withDeadline(Date.now() + QUERY_TIMEOUT_MS, request);

/**
 * Reads with the time limit of a query, and once more with a whole new one: the SDK repeats a request within what is left
 * of its time, so that a busy server's last try may have had none. For requests that change nothing.
 */
export async function readWithinTime<T>(server: Server, request: () => Promise<T>): Promise<T> {
  try {
    return await withinTime(server, request);
  } catch (error) {
    if (!isTooLate(error)) throw error;
    return withinTime(server, request);
  }
}

/** The gRPC status code of an error or of what caused it. */
export function grpcCode(error: unknown): number | undefined {
  if (isGrpcServiceError(error)) return error.code;
  return error instanceof Error && error.cause !== undefined ? grpcCode(error.cause) : undefined;
}

/** Codes of a request that got no answer: a deadline that the server notices before we do comes back as cancelled. */
const UNANSWERED: readonly (number | undefined)[] = [GRPC.cancelled, GRPC.deadlineExceeded, GRPC.unavailable];

/** The connection stood, and the answer did not come in time. */
const isTooLate = (error: unknown): boolean =>
  [GRPC.cancelled, GRPC.deadlineExceeded].some((code) => code === grpcCode(error));

/** Whether the server could not be asked, as opposed to having answered with a refusal. */
export const isUnreachable = (error: unknown): boolean => UNANSWERED.includes(grpcCode(error));

async function explained(error: unknown, settings: ConnectionSettings, connection: Connection): Promise<unknown> {
  if (error instanceof CommandError) return error;
  if (isMissingNamespace(error)) return missingNamespace(settings, connection);
  if (isTooLate(error)) return tooLate(settings);
  if (isUnreachable(error)) return unreachable(settings, rootMessage(error));
  const code = grpcCode(error);
  if (code === GRPC.unauthenticated || code === GRPC.permissionDenied) {
    return new CommandError(
      'CONFIG_INVALID',
      `the server at ${settings.address} refused the credentials: ${rootMessage(error)}; check TEMPORAL_API_KEY, TEMPORAL_TLS_… or the profile`,
    );
  }
  return error;
}

function unreachable(settings: ConnectionSettings, reason: string): CommandError {
  return new CommandError(
    'SERVER_UNREACHABLE',
    `no Temporal server answers at ${settings.address} (${reason}); start one with ./temporal-dev.sh, or name another with --address or TEMPORAL_ADDRESS`,
  );
}

const tooLate = ({ address }: ConnectionSettings): CommandError =>
  new CommandError(
    'SERVER_UNREACHABLE',
    `the Temporal server at ${address} takes connections but did not answer within ${QUERY_TIMEOUT_MS / 1000} s, twice; it is busy: try again, or look at its load`,
  );

const isMissingNamespace = (error: unknown): boolean =>
  error instanceof NamespaceNotFoundError ||
  (grpcCode(error) === GRPC.notFound && /^Namespace .* is not found/i.test(rootMessage(error)));

async function missingNamespace(settings: ConnectionSettings, connection: Connection): Promise<CommandError> {
  const names = await namespaceNames(connection);
  return new CommandError(
    'NAMESPACE_NOT_FOUND',
    `${settings.address} has no namespace "${settings.namespace}"; ${
      names ? `it has ${names.join(', ')}` : 'it does not say which it has'
    }; choose with --namespace or TEMPORAL_NAMESPACE, or create it: temporal operator namespace create --namespace ${settings.namespace} --retention 30d`,
  );
}

/** Names of all namespaces but the server's own; null where listing is not allowed, as on Temporal Cloud. */
async function namespaceNames(connection: Connection): Promise<string[] | null> {
  try {
    const { namespaces } = await connection.withDeadline(Date.now() + QUERY_TIMEOUT_MS, () =>
      connection.workflowService.listNamespaces({ pageSize: 100 }),
    );
    const names = namespaces.map((namespace) => namespace.namespaceInfo?.name ?? '');
    return names.filter((name) => name !== '' && name !== 'temporal-system');
  } catch {
    return null;
  }
}

/** The innermost message: the SDK wraps what the server said. */
function rootMessage(error: unknown): string {
  if (isGrpcServiceError(error)) return error.details;
  if (error instanceof Error) return error.cause === undefined ? error.message : rootMessage(error.cause);
  return String(error);
}
