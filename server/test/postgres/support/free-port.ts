import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports of operating systems: the port of a server that is down for a moment stays free while
 * clients connect.
 */
const LOWEST = 10_000;
const HIGHEST = 32_000;
const TRIES = 50;

/** An unused port of 127.0.0.1; another process may take it before the caller does. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${TRIES} ports was free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
