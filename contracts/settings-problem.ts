// What is wrong with the settings of the connection, for the command line and the worker alike.

/**
 * The problem in words that show nothing of the profile file: its parser quotes the lines around a mistake, and one of them may
 * be an API key. `error`: as thrown while the settings were read; of its message only the first line is told.
 */
export function settingsProblem(error: unknown, env: { readonly [name: string]: string | undefined }): string {
  const { message = String(error), line } = error as { message?: string; line?: unknown };
  const [what = ''] = message.split('\n');
  const place = typeof line === 'number' ? ` in line ${line}` : '';
  const file = env.TEMPORAL_CONFIG_FILE ?? 'the default place (temporalio/temporal.toml in the configuration folder)';
  return `connection settings cannot be read: ${what.trim()}${place}; the profile file is ${file}, variables start with TEMPORAL_`;
}
