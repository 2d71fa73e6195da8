import type { StockRules } from '../../src/domain/ledger/ledger-transaction.ts';
import type {
  WriteCommand,
  WriteOutcome,
  WriteRequest,
  WriteResult,
} from '../../src/domain/write-command.ts';
import type { WriterMessage } from '../../src/store/sqlite/writer-messages.ts';
import { type ModelPet, ShopModel } from '../orders/shop-model.ts';
import { PETS, type SimulatedDatabase } from './database.ts';
import { type Scheduler, START_MS } from './scheduler.ts';
import type { Violations } from './violations.ts';
import type { CommitWitness } from './writer.ts';

/**
 * An author's time is that of the database, up to the longest way to it: a database that hangs and is slow after it took 39 s once.
 * The clocks of machines are wrong by up to two hours.
 */
const MAX_CLOCK_ERROR_MS = 60_000;
/** The movements of the import at the beginning. */
const IMPORTED = PETS.size;

interface StockRow {
  readonly petId: string;
  readonly quantity: number;
  readonly reserved: number;
  readonly status: string;
}

interface OrderRow {
  readonly id: number;
  readonly status: string;
  readonly version: number;
}

/** What must be true: the model of the shop, to which each write is applied at the moment of its commit. */
export class Truth implements CommitWitness {
  readonly model: ShopModel;
  /** The outcome of each committed request, by its id. */
  readonly #outcomes = new Map<string, unknown>();
  /** The outcome of the first request with an idempotency key. */
  readonly #kept = new Map<string, unknown>();
  /** Requests whose clients know that nothing was changed. */
  readonly #refused = new Set<string>();
  readonly #scheduler: Scheduler;
  readonly #violations: Violations;
  readonly #onOther: (write: Exclude<WriterMessage, { kind: 'changeStock' }>) => void;
  #recordedAtMs = START_MS;

  constructor(
    rules: StockRules,
    scheduler: Scheduler,
    violations: Violations,
    onOther: (write: Exclude<WriterMessage, { kind: 'changeStock' }>) => void,
  ) {
    this.#scheduler = scheduler;
    this.#violations = violations;
    this.#onOther = onOther;
    const none = { status: 'available', lowStockAt: null, restockAt: null } as const;
    const pets = [...PETS].map(([petId, onHand]): [bigint, ModelPet] => [petId, { ...none, onHand }]);
    this.model = new ShopModel(new Map(pets), rules);
  }

  /** The sequence of the newest movement. */
  get sequence(): number {
    return IMPORTED + this.model.entries.length;
  }

  /** The newest movement of a pet. */
  lastSequence(petId: bigint): number {
    const last = this.model.entries.findLastIndex((entry) => entry.petId === petId);
    return last < 0 ? [...PETS.keys()].toSorted(byId).indexOf(petId) + 1 : IMPORTED + last + 1;
  }

  /** Called when an import or a bulk change has committed a pet. */
  overwritten(petId: bigint, values: Partial<Pick<ModelPet, 'onHand' | 'status'>>): void {
    this.model.overwrite(petId, values);
    this.#recordedAtMs = Math.max(this.#scheduler.nowMs, this.#recordedAtMs);
  }

  /**
   * Called for each movement that a stock-take has committed.
   * @param apply Changes the model; its movements begin after the second argument.
   */
  recorded(apply: (model: ShopModel, first: number) => { readonly code: string }): string {
    const { code } = apply(this.model, IMPORTED);
    this.#recordedAtMs = Math.max(this.#scheduler.nowMs, this.#recordedAtMs);
    return code;
  }

  /** The movement that reverts another one. */
  revertOf(sequence: number): number | undefined {
    const i = this.model.entries.findIndex(({ reverts }) => reverts === sequence - IMPORTED);
    return i < 0 ? undefined : IMPORTED + i + 1;
  }

  committed(writes: readonly WriterMessage[]): void {
    for (const write of writes) {
      if (write.kind === 'changeStock') this.#apply(write.request);
      else this.#onOther(write);
    }
  }

  /** Called when a client gets the response of a request. */
  acknowledged({ author: { requestId } }: WriteRequest, outcome: WriteOutcome): void {
    const id = requestId ?? '';
    if (!this.#outcomes.has(id)) return this.#violations.add(`${id} was acknowledged before its commit.`);
    const expected = JSON.stringify(this.#outcomes.get(id));
    const got = JSON.stringify(outcome.kind === 'key_reused' ? outcome.kind : outcomeOf(outcome.result));
    this.#violations.require(got === expected, () => `${id} got ${got} instead of ${expected}.`);
  }

  /** Called when a client gets the response that nothing was changed. */
  refused({ author: { requestId } }: WriteRequest): void {
    this.#refused.add(requestId ?? '');
    const isThere = this.#outcomes.has(requestId ?? '');
    this.#violations.require(!isThere, () => `${requestId} was refused, but it is committed.`);
  }

  #apply({ author, command, idempotency }: WriteRequest): void {
    const { requestId, atMs } = author;
    const errorMs = Math.abs(atMs - this.#scheduler.nowMs);
    this.#violations.require(
      errorMs < MAX_CLOCK_ERROR_MS,
      () => `A ${command.kind} has the time of another clock.`,
    );
    this.#violations.require(
      requestId === null || !this.#refused.has(requestId),
      () => `${requestId} is committed after it was refused.`,
    );
    const key = idempotency?.scope;
    const kept = key === undefined ? undefined : this.#kept.get(key);
    const outcome = kept ?? this.#execute(command, atMs);
    if (key !== undefined) this.#kept.set(key, outcome);
    if (requestId !== null) this.#outcomes.set(requestId, outcome);
  }

  #execute(command: WriteCommand, atMs: number): unknown {
    const { model } = this;
    const before = model.entries.length;
    const recordedAtMs = Math.max(atMs, this.#recordedAtMs);
    const outcome = this.#outcomeOf(command, atMs, recordedAtMs);
    if (model.entries.length > before) this.#recordedAtMs = recordedAtMs;
    return outcome;
  }

  #outcomeOf(command: WriteCommand, atMs: number, recordedAtMs: number): unknown {
    const { model } = this;
    switch (command.kind) {
      case 'place':
        return lineOutcome(model.place(command, recordedAtMs));
      case 'step':
        return lineOutcome(model.step(command, atMs));
      case 'change':
        return model.change(command.change).code;
      case 'revert':
        return model.revert({ ...command, sequence: command.sequence - IMPORTED }).code;
      case 'batch':
        return model.batch(command);
    }
  }

  /** Compares the whole database with the model. */
  compare(database: SimulatedDatabase): void {
    const stock = database.rows<StockRow>(
      'SELECT CAST(pet_id AS text) AS petId, quantity, reserved, status FROM inventory ORDER BY pet_id',
    );
    const { pets, orders } = this.model;
    const expected = [...pets].map(([petId, { onHand, status }]) => {
      return { petId: String(petId), quantity: onHand, reserved: this.model.reserved(petId), status };
    });
    expected.sort((a, b) => (BigInt(a.petId) < BigInt(b.petId) ? -1 : 1));
    this.#same('the stock', stock, expected);
    const rows = database.rows<OrderRow>('SELECT id, status, version FROM orders ORDER BY id');
    this.#same(
      'the orders',
      rows,
      orders.map(({ status, version }, i) => ({ id: i + 1, status, version })),
    );
    const [ledger] = database.rows('SELECT count(*) AS count, max(sequence) AS newest FROM movements');
    this.#same('the ledger', ledger, { count: this.sequence, newest: this.sequence });
  }

  /** Orders whose time came before this moment and that still hold their units. */
  overdue(beforeMs: number): number {
    const isOver = (expiresAtMs: number | null) => expiresAtMs !== null && expiresAtMs < beforeMs;
    return this.model.orders.filter((one) => one.status === 'placed' && isOver(one.expiresAtMs)).length;
  }

  #same(what: string, found: unknown, expected: unknown): void {
    const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
    this.#violations.require(a === b, () => `${what} is not that of the model: ${a} instead of ${b}`);
  }
}

function outcomeOf(result: WriteResult): unknown {
  if (result.kind === 'order') return lineOutcome(result);
  return result.kind === 'batch' ? result.rows.map(({ code }) => code) : result.code;
}

function lineOutcome({ code, line }: { readonly code: string; readonly line?: number | null }) {
  return { code, line: line ?? null };
}

function byId(a: bigint, b: bigint): number {
  return a < b ? -1 : 1;
}
