// Types of ports.js, which is plain JavaScript because temporal-dev.sh needs it before anything is installed.
export function isFree(port: number): Promise<boolean>;
export function freePort(): Promise<number>;
