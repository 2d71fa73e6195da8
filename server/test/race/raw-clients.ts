import assert from 'node:assert/strict';
import { assertContract } from '../blackbox/api-request.ts';
import { type RawResponse, RawSocket } from '../blackbox/raw-socket.ts';

const OPENED_TOGETHER = 100;
const RESPONSE_TIMEOUT_MS = 60_000;

/** The answer to the request of one of many clients; it has kept the contract. */
export async function answerOf(socket: RawSocket): Promise<RawResponse> {
  const answer = await socket.next({ deadlineMs: RESPONSE_TIMEOUT_MS });
  assert.ok(answer, 'each client is answered');
  assertContract(answer);
  return answer;
}

/** Opens sockets in groups, because the accept queue of a listening socket is limited. */
export async function openAll(count: number, ports: readonly number[]): Promise<RawSocket[]> {
  const sockets: RawSocket[] = [];
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(OPENED_TOGETHER, count - sockets.length) }, (_, index) =>
      RawSocket.open(ports[index % ports.length]!),
    );
    sockets.push(...(await Promise.all(batch)));
  }
  return sockets;
}
