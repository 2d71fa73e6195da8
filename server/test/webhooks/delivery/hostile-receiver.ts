import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** Acts on a connection after the head of a request has arrived. */
export type Behaviour = (socket: Socket) => void;

/** What a receiver can do besides responding. */
export const HOSTILE: Readonly<Record<string, Behaviour>> = {
  'never responds': () => {},
  'resets the connection': (socket) => socket.resetAndDestroy(),
  'closes the connection': (socket) => socket.end(),
  'sends a byte of the head now and then': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nA: '),
  'sends headers without end': (socket) =>
    flood(socket, 'HTTP/1.1 200 OK\r\n', `X: ${'a'.repeat(1_000)}\r\n`),
  'sends one header without end': (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nX: ', 'a'.repeat(1_000)),
  'sends interim responses without end': (socket) => flood(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n'),
  'sends a byte of the body now and then': (socket) => {
    drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
  },
  'sends an error with a body without end': (socket) => {
    flood(socket, 'HTTP/1.1 500 No\r\nConnection: close\r\n\r\n', 'a'.repeat(1_000));
  },
  'promises a body and sends none': (socket) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n');
  },
  'sends a huge chunk size': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n');
  },
  'sends what is not HTTP': (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  'sends two lengths': (socket) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab');
  },
  'switches the protocol': (socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
  },
  'redirects to another host': (socket) => {
    socket.end('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n');
  },
  'redirects with its method': (socket) => {
    socket.end('HTTP/1.1 307 Temporary Redirect\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n');
  },
};

/** Starts a receiver that behaves like this on each connection, and returns its URL. */
export async function startHostile(t: Pick<TestContext, 'after'>, behaviour: Behaviour): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    socket.once('data', () => behaviour(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Writes as fast as the other side reads. */
function flood(socket: Socket, beginning: string, piece: string): void {
  socket.write(beginning);
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

function drip(socket: Socket, beginning: string): void {
  socket.write(beginning);
  const timer = setInterval(() => socket.write('a'), 20);
  socket.once('close', () => clearInterval(timer));
}
