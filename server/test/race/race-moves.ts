import { PET_STATUSES } from '@petstore-inventory/shared/words';
import { type BatchRow, type Plan, requestBatch, requestPlan } from './batch-request.ts';
import type { Change } from './checker/history.ts';
import type { MovementJson } from './checker/movement-pages.ts';
import { lookAtOrder, orderMove } from './orders/order-moves.ts';
import type { RaceRecord } from './race-record.ts';
import type { Racer } from './racer.ts';
import {
  type CheckedRequest,
  type PlainChange,
  requestChange,
  requestItem,
  requestList,
  requestNewest,
  type Sighting,
  statusChangeOf,
} from './requests.ts';

const MAX_QUANTITY = 30;
const DELTAS = [-9, -5, -2, -1, 1, 2, 3, 6];
const KEYED_SHARE = 0.6;
/** Of the moves that write. */
const ORDER_SHARE = 0.45;
const MAX_ROWS = 6;

/** The next moves of a client, chosen by its own random numbers and the stock that it saw. */
export class Moves {
  readonly #racer: Racer;
  readonly #record: RaceRecord;
  /** The prefix of all its marks and keys. */
  readonly #name: string;
  #made = 0;

  constructor(racer: Racer, record: RaceRecord, name: string) {
    this.#racer = racer;
    this.#record = record;
    this.#name = name;
  }

  async next(): Promise<void> {
    const { random } = this.#racer;
    const petId = random.pick(this.#record.petIds);
    const seen = this.#racer.seen.get(petId);
    if (random.chance(0.35)) return this.#racer.perform(this.#look(petId, seen));
    this.#made += 1;
    const mark = `${this.#name}-${this.#made}`;
    if (random.chance(ORDER_SHARE))
      return this.#racer.perform(orderMove(random, this.#record, mark), this.#keyOr(mark));
    if (random.chance(0.12)) return this.#batch(mark);
    return this.#racer.perform(this.#change(petId, seen, mark), this.#keyOr(mark));
  }

  #look(petId: bigint, seen: Sighting | undefined): CheckedRequest {
    const { random } = this.#racer;
    const chance = random.next();
    if (chance < 0.15) return requestList(this.#record.petIds, (list) => this.#record.lists.push(list));
    if (chance < 0.5) {
      const look = lookAtOrder(random, this.#record);
      if (look) return look;
    }
    if (chance < 0.65) return requestNewest(petId, (movement) => this.#record.noteMovement(movement));
    return requestItem(petId, random.chance(0.5) ? seen : undefined);
  }

  #change(petId: bigint, seen: Sighting | undefined, mark: string): CheckedRequest {
    const { random } = this.#racer;
    const movement = random.chance(0.15) ? this.#movement() : undefined;
    if (!movement)
      return requestChange(petId, { ...this.#wish(), ...this.#conditions(seen) }, mark, seen?.tag);
    const status = statusChangeOf(movement);
    const { sequence, delta } = movement;
    const isOfOrder = movement.orderId !== null;
    const there = this.#racer.seen.get(movement.petId);
    const takesReserved = random.chance(0.15);
    const revert = {
      kind: 'revert',
      sequence,
      delta,
      isOfOrder,
      takesReserved,
      ...(status && { status }),
    } as const;
    return requestChange(movement.petId, { ...revert, ...this.#conditions(there) }, mark, there?.tag);
  }

  /** Often the newest one, which others want to revert too. */
  #movement(): MovementJson | undefined {
    const { movements } = this.#record;
    return this.#racer.random.chance(0.5) ? movements.at(-1) : this.#racer.random.pick(movements);
  }

  #wish(): PlainChange {
    const { random } = this.#racer;
    const chance = random.next();
    if (chance < 0.1) return { kind: 'status', status: random.pick(PET_STATUSES) };
    if (chance < 0.45) return { kind: 'set', quantity: random.integer(0, MAX_QUANTITY) };
    return { kind: 'adjust', delta: random.pick(DELTAS), takesReserved: random.chance(0.15) };
  }

  #conditions({ quantity, version, tag }: Sighting = {}): Pick<Change, 'ifQuantity' | 'ifVersion'> {
    const { random } = this.#racer;
    return {
      ...(quantity !== undefined && random.chance(0.15) ? { ifQuantity: quantity } : {}),
      ...(version !== undefined && tag !== undefined && random.chance(0.2) ? { ifVersion: version } : {}),
    };
  }

  async #batch(mark: string): Promise<void> {
    const { random } = this.#racer;
    const rows = Array.from({ length: random.integer(2, MAX_ROWS) }, () => this.#row());
    if (random.chance(0.4))
      return this.#racer.perform(requestBatch(rows, 'reject_failed_rows', mark), this.#keyOr(mark));
    const made: { plan?: Plan } = {};
    const isPlanned = random.chance(0.4);
    if (isPlanned)
      await this.#racer.perform(requestPlan(rows, mark, (plan) => Object.assign(made, { plan })));
    if (isPlanned && !made.plan) return;
    const checked = requestBatch(rows, 'reject_everything', mark, made.plan);
    this.#record.atomicBatches.push(checked.parts);
    return this.#racer.perform(checked, this.#keyOr(mark));
  }

  #row(): BatchRow {
    const { random } = this.#racer;
    const petId = random.pick(this.#record.petIds);
    const change: Change = random.chance(0.3)
      ? { kind: 'set', quantity: random.integer(0, MAX_QUANTITY) }
      : { kind: 'adjust', delta: random.pick(DELTAS), takesReserved: random.chance(0.15) };
    const quantity = this.#racer.seen.get(petId)?.quantity;
    const isConditional = quantity !== undefined && random.chance(0.1);
    return { petId, change: isConditional ? { ...change, ifQuantity: quantity } : change };
  }

  #keyOr(mark: string): string | undefined {
    return this.#racer.random.chance(KEYED_SHARE) ? mark : undefined;
  }
}
