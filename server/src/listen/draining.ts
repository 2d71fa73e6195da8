import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const IDLE_CHECK_MS = 50;

/**
 * Node takes a connection for idle as soon as an answer is made, and would cut what the client has not taken of it when the
 * server closes. While there is one, no idle connection is closed; the server waits for that one anyway.
 */
export function keepUnsentAnswers(server: Server): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    for (const { writableLength } of sockets) if (writableLength > 0) return;
    closeIdleConnections();
  };
}

/** Closes a server when its requests have their answers, or after the deadline. */
export async function closeGracefully(server: Server, deadlineMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection whose last answer was on its way when the draining began becomes idle only now.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
