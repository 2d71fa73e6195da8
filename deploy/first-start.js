import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/*
 * Starts the service of an image that is being built, asks it whether it is ready, and stops it. An image that does not
 * start is not made.
 */
const DEADLINE_MS = 60_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'first-start-'));
const service = spawn(process.execPath, [join(root, 'server/bin/petstore-server.js'), 'serve'], {
  env: { ...process.env, PORT: '0', PETSTORE_DATABASE: `sqlite:${join(folder, 'petstore.db')}` },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const deadline = setTimeout(() => service.kill('SIGKILL'), DEADLINE_MS);
const ended = new Promise((resolve) => service.once('exit', (code) => resolve(code ?? 1)));

let isReady = false;
for await (const line of createInterface({ input: service.stdout })) {
  const { msg, url } = JSON.parse(line);
  if (msg !== 'listening') continue;
  isReady = (await fetch(`${url}/readyz`)).ok && (await fetch(`${url}/docs`)).ok;
  service.kill('SIGTERM');
}
const code = await ended;
clearTimeout(deadline);
rmSync(folder, { recursive: true });
if (code !== 0 || !isReady)
  throw new Error(`The service ${isReady ? '' : 'was not ready and '}ended with code ${code}.`);
