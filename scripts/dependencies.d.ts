// Types of dependencies.js, which is plain JavaScript because temporal-dev.sh needs it before anything is installed.
export function firstMissing(root: string): string | undefined;
