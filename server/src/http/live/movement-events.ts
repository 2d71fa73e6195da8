import type { ApiError } from '../../domain/errors.ts';
import type { Movement } from '../../domain/ledger.ts';
import { movementJson } from '../movements/movement-json.ts';
import { errorBody } from '../request/error-response.ts';

/** A comment, which readers pass over; it keeps the connection in use. */
export const HEARTBEAT = Buffer.from(':\n\n');

/**
 * What a stream begins with: how long to wait before connecting again, and the sequence to go on from. A block that
 * has no data sets the last event id and dispatches nothing.
 */
export function openingEvent(sequence: number, retryMs: number): Uint8Array {
  return Buffer.from(`retry: ${retryMs}\nid: ${sequence}\n\n`);
}

/** Why a stream ends. It has no id, so that the last one stays that of a movement. */
export function errorEvent({ code, message }: ApiError): Uint8Array {
  return Buffer.from(`event: end\ndata: ${errorBody(code, message)}\n\n`);
}

function movementEvent(movement: Movement): Buffer {
  return Buffer.from(`id: ${movement.sequence}\nevent: movement\ndata: ${movementJson(movement)}\n\n`);
}

/** Movements one after the other without a gap, as events. The bytes are made once, for all readers. */
export class MovementBlock {
  readonly first: number;
  readonly last: number;
  readonly #bytes: Uint8Array;
  /** Where each event begins. */
  readonly #starts: Uint32Array;

  /** @param movements One at least, ascending, without a gap. */
  constructor(movements: readonly Movement[]) {
    const events = movements.map(movementEvent);
    this.first = (movements[0] as Movement).sequence;
    this.last = this.first + movements.length - 1;
    this.#bytes = Buffer.concat(events);
    this.#starts = new Uint32Array(events.length);
    for (let i = 1; i < events.length; i += 1) {
      this.#starts[i] = (this.#starts[i - 1] as number) + (events[i - 1] as Buffer).length;
    }
  }

  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  get eventCount(): number {
    return this.#starts.length;
  }

  /** Whether a reader who has everything up to a sequence goes on in this block. */
  follows(sequence: number): boolean {
    return sequence >= this.first - 1 && sequence < this.last;
  }

  /** The events after a sequence that the block follows; without a copy, so that all readers hold the same bytes. */
  eventsAfter(sequence: number): Uint8Array {
    const skipped = sequence + 1 - this.first;
    return skipped === 0 ? this.#bytes : this.#bytes.subarray(this.#starts[skipped]);
  }
}

/** The movements up to the first gap, of a page that was asked for after a sequence. */
export function withoutGap(movements: readonly Movement[], after: number): readonly Movement[] {
  const gap = movements.findIndex(({ sequence }, i) => sequence !== after + 1 + i);
  return gap === -1 ? movements : movements.slice(0, gap);
}
