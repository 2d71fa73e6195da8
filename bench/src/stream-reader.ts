import { once } from 'node:events';
import type { Service } from './shop.ts';

const EVENT_TIMEOUT_MS = 10_000;

/** A reader of the stream that notes when each event came. */
export class StreamReader {
  readonly #events = new Map<number, number>();
  readonly isOpen: Promise<unknown>;
  readonly close: () => void;
  #waiting: { sequence: number; resolve: () => void } | undefined;
  #rest = '';

  /** The number of movements of one pet. */
  count = 0;
  readonly #counted: string;

  /** @param petId The pet whose movements are counted. */
  constructor(service: Service, petId = 1) {
    this.#counted = `"petId":${petId},`;
    const socket = service.open('GET /v1/movements/stream');
    this.isOpen = once(socket, 'data');
    this.close = () => socket.destroy();
    socket.on('data', (bytes: Buffer) => this.#receive(bytes.toString('latin1')));
  }

  /** When the event of a movement came. */
  async arrivalOf(sequence: number): Promise<number> {
    if (!this.#events.has(sequence)) {
      await new Promise<void>((resolve, reject) => {
        const tooLate = setTimeout(
          () => reject(new Error(`event ${sequence} did not arrive`)),
          EVENT_TIMEOUT_MS,
        );
        this.#waiting = {
          sequence,
          resolve: () => {
            clearTimeout(tooLate);
            resolve();
          },
        };
      });
    }
    return this.#events.get(sequence) as number;
  }

  #receive(text: string): void {
    this.#rest += text;
    const end = this.#rest.lastIndexOf('\n\n');
    if (end < 0) return;
    for (const [, sequence] of this.#rest.slice(0, end + 2).matchAll(/^id: (\d+)\nevent: movement$/gm)) {
      this.#events.set(Number(sequence), performance.now());
      if (this.#waiting?.sequence === Number(sequence)) this.#waiting.resolve();
    }
    this.count += this.#rest.slice(0, end).split(this.#counted).length - 1;
    this.#rest = this.#rest.slice(end + 2);
  }
}
