import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const IDLE_CHECK_MS = 50;

/**
 * Node counts a connection as idle as soon as its answer is written, and cuts unsent bytes when the server closes. While
 * any connection has unsent bytes, no idle connection is closed; the server waits for that connection anyway.
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

/** Closes a server after its requests are answered, or at the deadline. */
export async function closeGracefully(server: Server, deadlineMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection becomes idle only after its last answer is sent.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
