// Answers about loopback ports for temporal-dev.sh: `busy PORT...` prints the taken ones, `free` prints a port to use.
const net = require('node:net');
const { randomInt } = require('node:crypto');

// Below the ephemeral range of Linux and macOS, so that no outgoing connection takes the port before the server does.
const FIRST_CANDIDATE = 20_000;
const LAST_CANDIDATE = 32_000;
const MAX_TRIES = 200;

/** True when a server can listen on this port of 127.0.0.1 now. */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** A random free port of 127.0.0.1; throws after 200 taken ones. */
async function freePort() {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(FIRST_CANDIDATE, LAST_CANDIDATE);
    if (await isFree(port)) return port;
  }
  throw new Error(
    `no free port on 127.0.0.1 between ${FIRST_CANDIDATE} and ${LAST_CANDIDATE}, ${MAX_TRIES} were tried`,
  );
}

async function main([verb, ...ports]) {
  if (verb === 'free') console.log(await freePort());
  else if (verb === 'busy') for (const port of ports.map(Number)) if (!(await isFree(port))) console.log(port);
}

module.exports = { freePort, isFree };
if (require.main === module) {
  main(process.argv.slice(2)).catch((error) => {
    console.error(`sluice: ${error.message}`);
    process.exitCode = 1;
  });
}
