// Where the Temporal UI shows a workflow, for the servers whose UI address follows from their own.

/** The dev server's UI listens this many ports above its gRPC port unless told otherwise. */
const DEV_UI_PORT_OFFSET = 1000;

/** A link, or null for a server whose UI could be anywhere. */
export function uiLink(address: string, namespace: string, workflowId: string): string | null {
  const [host = '', port = '7233'] = address.split(':');
  const path = `/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  if (/\.tmprl\.cloud$|\.temporal\.io$/.test(host)) return `https://cloud.temporal.io${path}`;
  if (host === 'localhost' || host.startsWith('127.'))
    return `http://${host}:${Number(port) + DEV_UI_PORT_OFFSET}${path}`;
  return null;
}
