// A provider file as its author's YAML, and the tools that come of it.

import { createHttpTool } from '../../../activities/tools/http-tool';
import type { HttpTool } from '../../../activities/tools/tool';
import { parseProviderFile } from '../../../contracts/schemas/provider-file';

export const ACME_YAML = `provider: acme
baseUrl: https://api.acme.example/
accounts:
  default:
    secret: { env: ACME_KEY }
auth: { header: Authorization, value: "Bearer {secret}" }
limits:
  rate: [{ limit: 20, per: 1s }, { limit: 5000, per: 24h }]
  concurrency: 10
giveUpAfter: 2h
idempotency: { header: Idempotency-Key }
tools:
  company:
    effect: read
    price: 0.02
    timeout: 5s
    request:
      method: GET
      path: /v1/company
      query: { domain: "{{ input.domain }}" }
    response: { value: "{{ body.data }}", missWhen: "{{ status = 404 }}" }
`;

export interface ToolChange {
  tool?: object;
  file?: object;
}

/** One HTTP tool `acme.probe` of a checked file, with the parts given. */
export function httpTool(request: object, response: object = {}, { tool = {}, file = {} }: ToolChange = {}): HttpTool {
  const spec = { effect: 'read', price: 0, request: { method: 'GET', path: '/', ...request }, response, ...tool };
  const raw = { provider: 'acme', baseUrl: 'https://api.acme.example', tools: { probe: spec }, ...file };
  const reading = parseProviderFile(raw, 'acme.provider.yaml');
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return createHttpTool(reading.file, 'probe', reading.file.tools.probe!, 'https://api.acme.example');
}
