import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export const SLOW_CLIENTS = 1_300;
/** The queue of new connections is short on some machines. */
const OPENED_TOGETHER = 100;

/** Opens connections that never end the head of their request. Destroy them at the end. */
export async function openSlowClients(port: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let count = 0; count < SLOW_CLIENTS; count += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write('GET /v1/inventory HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    sockets.push(socket);
    if (count % OPENED_TOGETHER === 0) await delay(10);
  }
  return sockets;
}
