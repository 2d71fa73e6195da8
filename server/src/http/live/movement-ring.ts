import type { MovementBlock } from './movement-events.ts';

/** The newest movements as events: bounded, without a gap between its start and its end. */
export class MovementRing {
  readonly #maxBytes: number;
  readonly #maxEvents: number;
  #blocks: MovementBlock[] = [];
  #byteLength = 0;
  #eventCount = 0;
  #start = 0;
  #end = 0;

  constructor(maxBytes: number, maxEvents: number) {
    this.#maxBytes = maxBytes;
    this.#maxEvents = maxEvents;
  }

  /** A reader who has everything up to this sequence finds the rest here. */
  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  /** Forgets everything, and begins after a sequence. */
  reset(sequence: number): void {
    this.#blocks = [];
    this.#byteLength = 0;
    this.#eventCount = 0;
    this.#start = sequence;
    this.#end = sequence;
  }

  /** Adds what follows the end; what is oldest goes. */
  push(block: MovementBlock): void {
    if (block.first !== this.#end + 1) throw new Error(`${block.first} does not follow ${this.#end}.`);
    this.#blocks.push(block);
    this.#end = block.last;
    this.#byteLength += block.byteLength;
    this.#eventCount += block.eventCount;
    let dropped = 0;
    while (this.#byteLength > this.#maxBytes || this.#eventCount > this.#maxEvents) {
      const oldest = this.#blocks[dropped] as MovementBlock;
      this.#byteLength -= oldest.byteLength;
      this.#eventCount -= oldest.eventCount;
      this.#start = oldest.last;
      dropped += 1;
    }
    this.#blocks.splice(0, dropped);
  }

  /** The block with the movement after a sequence, if there is one, and it is here. */
  find(sequence: number): MovementBlock | undefined {
    if (sequence < this.#start || sequence >= this.#end) return undefined;
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#blocks[middle] as MovementBlock).last > sequence) high = middle;
      else low = middle + 1;
    }
    return this.#blocks[low];
  }
}
