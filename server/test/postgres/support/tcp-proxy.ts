import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

/** A TCP proxy in front of a port of this machine, which can fail as networks do. Made by `startTcpProxy`. */
export class TcpProxy {
  /** Added to all data, in each direction. */
  latencyMs = 0;
  /** The port to which new connections lead; those that are open stay where they are. */
  target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Resolves when bytes may pass. */
  #passage = Promise.resolve();
  #open: (() => void) | undefined;

  constructor(server: Server, targetPort: number) {
    this.#server = server;
    this.target = targetPort;
    server.on('connection', (client) => void this.#take(client));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The same address, but through this proxy. */
  url(address: string): string {
    const url = new URL(address);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  /**
   * Stops all data in both directions, even the end of a connection. New connections are accepted and receive nothing.
   * Data sent meanwhile is kept, as TCP keeps data without an acknowledgement.
   */
  blackHole(): void {
    // A second promise would leave those that wait for the first one waiting forever.
    if (this.#open) return;
    this.#passage = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  /** Forwards all data again, first the data that was held back. */
  heal(): void {
    this.#open?.();
    this.#open = undefined;
  }

  /** Ends every connection with a reset, on both sides; new ones are taken as before. */
  cut(): void {
    for (const socket of this.#sockets) reset(socket);
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    this.heal();
    await once(this.#server, 'close');
  }

  async #take(client: Socket): Promise<void> {
    this.#keep(client);
    await this.#passage;
    if (client.destroyed) return;
    const target = connect({ host: '127.0.0.1', port: this.target, allowHalfOpen: true });
    this.#keep(target);
    await Promise.all([this.#carry(client, target), this.#carry(target, client)]).catch(async () => {
      // When one side breaks, break the other as well, after the black hole ends.
      await this.#passage;
      reset(client);
      reset(target);
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    // Disconnect the other side as well.
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }

  /** Carries bytes from one socket to another until the first one ends, which ends the other one's side. */
  async #carry(from: Socket, to: Socket): Promise<void> {
    for await (const bytes of from.iterator({ destroyOnReturn: false })) {
      if (this.latencyMs > 0) await delay(this.latencyMs);
      await this.#passage;
      if (!to.write(bytes)) await once(to, 'drain');
    }
    await this.#passage;
    to.end();
  }
}

/** A socket that is about to end cannot be reset: libuv refuses it, and Node then waits indefinitely for it on exit. */
function reset(socket: Socket): void {
  const isEnding = socket.writableEnded && !socket.writableFinished;
  if (isEnding) socket.destroy();
  else socket.resetAndDestroy();
}

/** Starts a proxy in front of a port; it ends with the test. */
export async function startTcpProxy(t: Pick<TestContext, 'after'>, targetPort: number): Promise<TcpProxy> {
  const server = createServer({ allowHalfOpen: true });
  const proxy = new TcpProxy(server, targetPort);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => proxy.close());
  return proxy;
}
