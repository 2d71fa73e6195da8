import type { Movement } from '../api/schemas.ts';
import { PetstoreError } from '../errors.ts';

/** Movements after a missing one that are kept until it arrives. */
const MAX_EARLY = 100;

/** Puts movements into the order of the ledger, whose sequences have no gaps. */
export class MovementOrder {
  /** The newest movement that was passed on; before the first, the sequence it follows. */
  last: number | undefined;
  readonly #early = new Map<number, Movement>();

  constructor(last: number | undefined) {
    this.last = last;
  }

  /** Whether a movement is missing that others have overtaken. */
  get hasGap(): boolean {
    return this.#early.size > 0;
  }

  /** The movements that come next with this one: none for a repeated one, or one before which others are missing. */
  add(movement: Movement): Movement[] {
    this.last ??= movement.sequence - 1;
    if (movement.sequence > this.last) this.#early.set(movement.sequence, movement);
    const following: Movement[] = [];
    for (let next = this.#early.get(this.last + 1); next; next = this.#early.get(this.last + 1)) {
      this.last = next.sequence;
      this.#early.delete(next.sequence);
      following.push(next);
    }
    if (this.#early.size > MAX_EARLY) throw lostMovement();
    return following;
  }

  /** Forgets what came too early: a new connection sends it again. */
  restart(): void {
    this.#early.clear();
  }
}

/** The failure of a stream from which a movement is missing. */
export function lostMovement(): PetstoreError {
  return new PetstoreError('The stream lost a movement.', { code: 'connection_failed' });
}
