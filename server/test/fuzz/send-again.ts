import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../support/harness.ts';

const MOST = 60;

/**
 * Sends a request until the service accepts it. On a busy machine a change can wait longer than its queue allows; it is
 * refused before anything is done.
 */
export async function sendUntilAccepted(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send();
  for (let sent = 1; sent < MOST && isOverloaded(answer); sent += 1) {
    await delay(1_000);
    answer = await send();
  }
  return answer;
}

const isOverloaded = ({ status, text, headers }: Answer): boolean =>
  status === 503 && headers.has('Retry-After') && text.includes('Too much is waiting for the database.');
