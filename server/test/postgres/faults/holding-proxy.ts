import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/**
 * A proxy in front of a PostgreSQL that can hold answers back: the first one with a given text, and all that follow on
 * its connection; or cut the connection there. Answers on other connections pass. Made by `startHoldingProxy`.
 */
export class HoldingProxy {
  readonly #port: () => number;
  #text: string | undefined;
  #cutText: string | undefined;
  #heldConnection: Socket | undefined;
  #heldAnswers: (() => void)[] = [];
  #whenHeld: () => void = () => {};

  constructor(port: () => number) {
    this.#port = port;
  }

  /** The same address, but through this proxy. */
  url(address: string): string {
    return Object.assign(new URL(address), { hostname: '127.0.0.1', port: String(this.#port()) }).href;
  }

  /** Holds answers with this text from now on. Resolves when the first one arrives: the server has then decided. */
  hold(text: string): Promise<void> {
    this.#text = text;
    return new Promise((resolve) => {
      this.#whenHeld = resolve;
    });
  }

  /** Cuts the first connection whose answers have this text; earlier bytes still arrive. */
  cutAt(text: string): void {
    this.#cutText = text;
  }

  release(): void {
    this.#text = undefined;
    this.#heldConnection = undefined;
    for (const pass of this.#heldAnswers.splice(0)) pass();
  }

  take(client: Socket, server: Socket): void {
    client.on('data', (bytes) => server.write(bytes));
    server.on('data', (bytes: Buffer) => {
      const cutAt = this.#cutText === undefined ? -1 : bytes.indexOf(this.#cutText);
      if (cutAt >= 0) {
        this.#cutText = undefined;
        client.end(bytes.subarray(0, cutAt));
        return;
      }
      if (!this.#heldConnection && this.#text !== undefined && bytes.includes(this.#text)) {
        this.#heldConnection = server;
        this.#whenHeld();
      }
      if (this.#heldConnection === server) this.#heldAnswers.push(() => client.write(bytes));
      else client.write(bytes);
    });
  }
}

/** Starts a holder in front of the PostgreSQL of an address; it ends with the test. */
export async function startHoldingProxy(
  t: Pick<TestContext, 'after'>,
  address: string,
): Promise<HoldingProxy> {
  const { port } = new URL(address);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(Number(port), '127.0.0.1');
    for (const [socket, other] of [[client, target] as const, [target, client] as const]) {
      sockets.add(socket.on('error', () => {}).on('close', () => other.destroy()));
    }
    principal.take(client, target);
  });
  const principal = new HoldingProxy(() => (server.address() as AddressInfo).port);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return principal;
}
