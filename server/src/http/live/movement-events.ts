import type { ApiError } from '../../domain/errors.ts';
import type { Movement } from '../../domain/ledger/ledger.ts';
import { movementJson } from '../../wire/movement-json.ts';
import { errorBody } from '../request/error-response.ts';

/** A comment, which clients ignore. It keeps the connection open. */
export const HEARTBEAT = Buffer.from(':\n\n');

/**
 * The first event of a stream: the delay before a reconnect, and the sequence to resume from. An event without data
 * sets the last event id and dispatches nothing.
 */
export function openingEvent(sequence: number, retryMs: number): Uint8Array {
  return Buffer.from(`retry: ${retryMs}\nid: ${sequence}\n\n`);
}

/** The last event of a stream. Without an id, so the last id stays that of a movement. */
export function errorEvent({ code, message }: ApiError): Uint8Array {
  return Buffer.from(`event: end\ndata: ${errorBody(code, message)}\n\n`);
}

function movementEvent(movement: Movement): Buffer {
  return Buffer.from(`id: ${movement.sequence}\nevent: movement\ndata: ${movementJson(movement)}\n\n`);
}

/** Consecutive movements as events. The bytes are made once for all readers. */
export class MovementBlock {
  readonly first: number;
  readonly last: number;
  readonly #bytes: Uint8Array;
  /** The offset of each event. */
  readonly #starts: Uint32Array;

  /** @param movements At least one, ascending, without a gap. */
  constructor(movements: readonly Movement[]) {
    const events = movements.map(movementEvent);
    let length = 0;
    for (const event of events) length += event.length;
    this.first = (movements[0] as Movement).sequence;
    this.last = this.first + movements.length - 1;
    // Not `Buffer.concat`: a small result would keep Node's shared 64 kB in memory for as long as the block is kept.
    this.#bytes = new Uint8Array(length);
    this.#starts = new Uint32Array(events.length);
    let start = 0;
    for (const [i, event] of events.entries()) {
      this.#bytes.set(event, start);
      this.#starts[i] = start;
      start += event.length;
    }
  }

  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  get eventCount(): number {
    return this.#starts.length;
  }

  /** Whether the block contains the movement after a sequence. */
  follows(sequence: number): boolean {
    return sequence >= this.first - 1 && sequence < this.last;
  }

  /** The events after a sequence. Not copied, so all readers share the bytes. @param sequence One that the block follows. */
  eventsAfter(sequence: number): Uint8Array {
    const skipped = sequence + 1 - this.first;
    return skipped === 0 ? this.#bytes : this.#bytes.subarray(this.#starts[skipped]);
  }
}

/** The movements of a page after a sequence, up to the first gap. */
export function withoutGap(movements: readonly Movement[], after: number): readonly Movement[] {
  const gap = movements.findIndex(({ sequence }, i) => sequence !== after + 1 + i);
  return gap === -1 ? movements : movements.slice(0, gap);
}
