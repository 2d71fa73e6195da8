import type { SeededRandom } from '../../support/limit-clients.ts';
import {
  type Change,
  changesOf,
  type Operation,
  type Outcome,
  type Refusal,
  type Register,
} from '../checker/history.ts';
import type { LedgerRow } from '../checker/ledger-invariants.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The mistakes that a store can be given on purpose. */
export const BUGS = [
  'stale read',
  'lost update',
  'answer before commit',
  'double apply',
  'dirty read',
  'oversold',
  'forgotten reservation',
] as const;
export type Bug = (typeof BUGS)[number];

/** A request of a client. */
export interface Request extends Pick<Operation, 'action' | 'client'> {
  readonly idempotencyKey: string;
  readonly requestId: string;
}

interface Data {
  readonly register: Register;
  readonly rows: readonly LedgerRow[];
  readonly replies: ReadonlyMap<string, Outcome>;
}

interface StoreParts {
  readonly random: SeededRandom;
  readonly time: VirtualTime;
  readonly initial: Register;
  readonly bug: Bug | undefined;
}

const CACHE_TTL_MS = 4;
const FLUSH_INTERVAL_MS = 15;
const ROLLBACK_SHARE = 0.03;
const ROLLBACK_DELAY_MS = 5;
const LOST_UPDATE_SHARE = 0.2;
const FORGOTTEN_SHARE = 0.1;

/**
 * A store of one pet on a virtual clock, written without the checker's own register: each change is judged and
 * committed at one moment, and answers are kept for retries. A bug breaks one of its promises.
 */
export class SimulatedStore {
  readonly petId = 7n;
  readonly rows: LedgerRow[];
  register: Register;
  readonly #random: SeededRandom;
  readonly #time: VirtualTime;
  readonly #bug: Bug | undefined;
  readonly #replies = new Map<string, Outcome>();
  /** The state that `answer before commit` restores after a crash. */
  #flushed: Data & { readonly atMs: number };
  /** The state that `stale read` returns while it is recent. */
  #cached: { readonly register: Register; readonly atMs: number };
  /** The state that `dirty read` shows of a change that will be rolled back. */
  #uncommitted: Register | undefined;

  constructor({ random, time, initial, bug }: StoreParts) {
    this.#random = random;
    this.#time = time;
    this.#bug = bug;
    this.register = initial;
    this.rows = [firstRow(this.petId, initial)];
    this.#flushed = { register: initial, rows: [...this.rows], replies: new Map(), atMs: 0 };
    this.#cached = { register: initial, atMs: 0 };
  }

  /** Hands the answer over at the moment of the effect, or later. */
  perform(request: Request, answer: (outcome: Outcome) => void): void {
    const reply = this.#replies.get(request.idempotencyKey);
    const base = this.register;
    if (request.action.kind === 'read') answer({ result: 'done', ...this.#read() });
    else if (reply && this.#bug !== 'double apply') answer(reply);
    else if (this.#random.chance(ROLLBACK_SHARE)) this.#rollBack(request, answer);
    else if (this.#bug === 'lost update' && this.#random.chance(LOST_UPDATE_SHARE))
      this.#time.after(1, () => answer(this.#commit(request, base)));
    else answer(this.#commit(request, base));
  }

  /** Simulates a crash: the store continues with the flushed data. */
  crash(): void {
    if (this.#bug !== 'answer before commit') return;
    const { register, rows, replies } = this.#flushed;
    this.register = register;
    this.rows.splice(rows.length);
    for (const key of this.#replies.keys()) if (!replies.has(key)) this.#replies.delete(key);
  }

  #read(): Register {
    const { nowMs } = this.#time;
    if (this.#bug === 'dirty read' && this.#uncommitted) return this.#uncommitted;
    if (this.#bug !== 'stale read') return this.register;
    if (nowMs - this.#cached.atMs > CACHE_TTL_MS) this.#cached = { register: this.register, atMs: nowMs };
    return this.#cached.register;
  }

  /** Runs a transaction that is never committed; no reader may see its changes. */
  #rollBack(request: Request, answer: (outcome: Outcome) => void): void {
    const made = this.#apply(request, this.register);
    if ('registers' in made) this.#uncommitted = made.registers.at(-1);
    this.#time.after(ROLLBACK_DELAY_MS, () => {
      this.#uncommitted = undefined;
      answer({ result: 'failed' });
    });
  }

  #commit(request: Request, base: Register): Outcome {
    const made = this.#apply(request, base);
    const outcome = 'registers' in made ? this.#record(request, base, made.registers) : made;
    this.#replies.set(request.idempotencyKey, outcome);
    this.#flush();
    return outcome;
  }

  /** The register after each of the changes, or the reason to refuse them. */
  #apply(
    { action }: Request,
    base: Register,
  ): { registers: Register[] } | Extract<Outcome, { result: 'refused' }> {
    const registers: Register[] = [];
    for (const change of changesOf(action)) {
      const register = registers.at(-1) ?? base;
      const next = changed(register, change);
      const refusal = this.#refusalOf(change, register, next);
      if (refusal) return { result: 'refused', refusal, ...base };
      registers.push(next);
    }
    return { registers };
  }

  #refusalOf(change: Change, { quantity, reserved, version }: Register, next: Register): Refusal | undefined {
    if (change.ifVersion !== undefined && change.ifVersion !== version) return 'precondition_failed';
    if (change.ifQuantity !== undefined && change.ifQuantity !== quantity) return 'conflict';
    if (change.kind === 'revert' && this.rows.some(({ kind }) => kind === revertOf(change.sequence)))
      return 'conflict';
    if (next.quantity < 0) return 'insufficient_stock';
    const isFree = change.kind === 'set' || change.kind === 'status' || next.quantity - next.reserved >= 0;
    const isLess = next.quantity - next.reserved < quantity - reserved;
    if (isFree || !isLess || ('takesReserved' in change && change.takesReserved)) return undefined;
    return change.kind === 'reserve' && this.#bug === 'oversold' ? undefined : 'insufficient_stock';
  }

  #record(request: Request, base: Register, registers: readonly Register[]): Outcome {
    const changes = changesOf(request.action);
    const before = this.rows.length;
    for (const [index, register] of registers.entries()) {
      const previous = registers[index - 1] ?? base;
      if (register !== previous) this.rows.push(this.#rowOf(request, changes[index]!, previous, register));
    }
    this.register = registers.at(-1) ?? this.register;
    if (this.#bug === 'forgotten reservation' && this.#random.chance(FORGOTTEN_SHARE))
      this.register = { ...this.register, reserved: 0 };
    const sequence = this.rows.length > before ? this.rows.length : null;
    return { result: 'done', quantityBefore: base.quantity, ...this.register, sequence };
  }

  #rowOf(
    request: Request,
    change: Change,
    { quantity: before, reserved: reservedBefore }: Register,
    { quantity: after, reserved: reservedAfter }: Register,
  ): LedgerRow {
    return {
      sequence: this.rows.length + 1,
      previousSequence: this.rows.length,
      petId: this.petId,
      before,
      after,
      delta: after - before,
      reservedBefore,
      reservedAfter,
      kind: change.kind === 'revert' ? revertOf(change.sequence) : change.kind,
      idempotencyKey: request.idempotencyKey,
      actor: request.client,
      requestId: request.requestId,
    };
  }

  #flush(): void {
    const { nowMs: atMs } = this.#time;
    if (this.#bug !== 'answer before commit' || atMs - this.#flushed.atMs < FLUSH_INTERVAL_MS) return;
    this.#flushed = { register: this.register, rows: [...this.rows], replies: new Map(this.#replies), atMs };
  }
}

/** Returns the same register if there is nothing to record. */
function changed(register: Register, change: Change): Register {
  let { quantity, reserved, status } = register;
  if (change.kind === 'set') quantity = change.quantity;
  if (change.kind === 'adjust') quantity += change.delta;
  if (change.kind === 'revert') quantity -= change.delta;
  if (change.kind === 'status') status = change.status;
  if (change.kind === 'reserve') reserved += change.units;
  if (change.kind === 'release' || change.kind === 'deliver') reserved -= change.units;
  if (change.kind === 'deliver') quantity -= change.units;
  if (change.kind === 'return') quantity += change.units;
  const isSame = quantity === register.quantity && status === register.status;
  if (isSame && reserved === register.reserved) return register;
  return { quantity, reserved, status, version: register.version + 1 };
}

function revertOf(sequence: number): string {
  return `revert of ${sequence}`;
}

function firstRow(petId: bigint, { quantity }: Register): LedgerRow {
  return {
    sequence: 1,
    previousSequence: null,
    petId,
    before: 0,
    after: quantity,
    delta: quantity,
    kind: 'import',
    actor: 'cli',
    requestId: null,
  };
}
