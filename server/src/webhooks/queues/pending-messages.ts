import type { Message } from './message.ts';

/** Messages wait in memory up to this size, besides the first one; later ones are read again. */
const MAX_CHARACTERS = 4_096;

/** The next messages of an endpoint. */
export class PendingMessages {
  #messages: Message[] = [];
  #characters = 0;

  get first(): Message | undefined {
    return this.#messages[0];
  }

  get isFull(): boolean {
    return this.#characters >= MAX_CHARACTERS;
  }

  push(message: Message): void {
    this.#messages.push(message);
    this.#characters += message.body.length;
  }

  removeFirst(): void {
    const first = this.#messages.shift();
    this.#characters -= first?.body.length ?? 0;
  }

  clear(): void {
    this.#messages = [];
    this.#characters = 0;
  }
}
