// What the registry of tools offers to admission, dispatch and the gates.
import type { Tool } from './tool';

/** What the gate of one (provider, account) needs; times in milliseconds. */
export interface ProviderFacts {
  provider: string;
  account: string;
  taskQueue: string;
  /** Windows of requests that all hold at the same time; none = no declared rate. */
  rate: { limit: number; perMs: number }[];
  /** Windows of each other unit that is limited. */
  units: { unit: string; rate: { limit: number; perMs: number }[] }[];
  /** Requests under way at the same time; null = not declared. */
  concurrency: number | null;
  giveUpAfterMs: number;
  throttleProfile: string;
}

export interface ToolRegistry {
  /** The tool, or null when there is none of this name. */
  get(name: string): Tool | null;
  /** Names of all tools, sorted. */
  names(): string[];
  /** One entry for each account of each provider that has a file. */
  providers(): ProviderFacts[];
  /** Queue of the tool's calls: the provider's own, or the main queue for a tool whose provider has no file. */
  taskQueue(tool: Tool, account: string): string;
  /** The account of a call that names none: `default`, or the only one; null when a choice must be made. */
  defaultAccount(tool: Tool): string | null;
}
