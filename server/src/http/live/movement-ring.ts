import type { MovementBlock } from './movement-events.ts';

/** The newest movements as events: bounded, and without a gap. */
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

  /** The ring contains the movements after this sequence. */
  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  /** Clears the ring, which then begins after a sequence. */
  reset(sequence: number): void {
    this.#blocks = [];
    this.#byteLength = 0;
    this.#eventCount = 0;
    this.#start = sequence;
    this.#end = sequence;
  }

  /** Adds the block after the end, and drops the oldest blocks over the bounds. */
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

  /** The block with the movement after a sequence, if the ring contains it. */
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
