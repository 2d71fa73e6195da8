import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { bigintAsText } from '../../domain/bigint-json.ts';
import type { Stock } from '../../domain/ledger/stock.ts';
import {
  type BatchResult,
  IDEMPOTENCY_TTL_MS,
  type Idempotency,
  type OrderResult,
  type RowResult,
  type SingleResult,
  type WriteOutcome,
  type WriteResult,
} from '../../domain/write-command.ts';
import { notWritten } from '../errors.ts';

/** Longer results are stored compressed: nine tenths of a batch of a thousand rows is repetition. */
const COMPRESSED_FROM_CHARACTERS = 4 * 1024;
/** The prefix of a compressed text; JSON never begins with it. */
const COMPRESSED = 'deflate:';

/** Speed matters: others wait for the ledger meanwhile. */
const LEVEL = constants.Z_BEST_SPEED;

/** Encodes a result for an idempotency record. */
export function encodeResult(result: WriteResult): string {
  const kept = result.kind === 'batch' ? { ...result, rows: result.rows.map(keptRow) } : result;
  const text = JSON.stringify(kept, bigintAsText);
  if (text.length < COMPRESSED_FROM_CHARACTERS) return text;
  return COMPRESSED + deflateRawSync(text, { level: LEVEL }).toString('base64');
}

/**
 * Reads what `encodeResult` wrote.
 * @throws Error where it is damaged.
 */
export function decodeResult(text: string): WriteResult {
  const json = text.startsWith(COMPRESSED)
    ? inflateRawSync(Buffer.from(text.slice(COMPRESSED.length), 'base64')).toString()
    : text;
  const result = JSON.parse(json) as Encoded<SingleResult> | Encoded<OrderResult> | KeptBatch;
  if (result.kind === 'order') return orderResultOf(result);
  if (result.kind === 'batch') return { ...result, rows: result.rows.map(rowOf) };
  const { movement, petId, ...rest } = result;
  const single: SingleResult = { ...rest, movement: movement && withPetId(movement) };
  return petId === undefined ? single : { ...single, petId: BigInt(petId) };
}

/** As in JSON: a petId, which no number can hold, is text. */
type Encoded<T> = T extends bigint
  ? string
  : T extends object
    ? { readonly [Name in keyof T]: Encoded<T[Name]> }
    : T;

type KeptStock = readonly unknown[] | null;
type KeptRow = readonly [
  petId: string,
  code: RowResult['code'],
  before: KeptStock,
  after: KeptStock,
  sequence: number | null,
];
type KeptBatch = Omit<BatchResult, 'rows'> & { readonly rows: readonly KeptRow[] };

function keptRow({ petId, code, before, after, sequence }: RowResult): KeptRow {
  return [String(petId), code, keptStock(before), keptStock(after), sequence];
}

function rowOf([petId, code, before, after, sequence]: KeptRow): RowResult {
  return { petId: BigInt(petId), code, before: stockOf(before), after: stockOf(after), sequence };
}

function orderResultOf({ order, petId, ...rest }: Encoded<OrderResult>): OrderResult {
  return {
    ...rest,
    petId: petId === null ? null : BigInt(petId),
    order: order && { ...order, lines: order.lines.map(withPetId) },
  };
}

/** The members of a stock, in the order in which they are kept. */
const STOCK_MEMBERS = [
  'quantity',
  'status',
  'version',
  'lastSequence',
  'updatedAtMs',
  'reserved',
  'alertLevel',
  'lowStockAt',
  'restockAt',
] as const satisfies readonly (keyof Stock)[];

function keptStock(stock: Stock | null): KeptStock {
  return stock && STOCK_MEMBERS.map((name) => stock[name]);
}

function stockOf(kept: KeptStock): Stock | null {
  return kept && (Object.fromEntries(STOCK_MEMBERS.map((name, i) => [name, kept[i]])) as unknown as Stock);
}

function withPetId<T extends { readonly petId: string }>(encoded: T): Omit<T, 'petId'> & { petId: bigint } {
  return { ...encoded, petId: BigInt(encoded.petId) };
}

/** Result of a request with an `Idempotency-Key`, as a database stores it. */
export interface IdempotencyRecord {
  readonly scope: string;
  readonly fingerprint: string;
  /** A `WriteResult`, encoded. */
  readonly result: string;
  readonly createdAtMs: number;
}

/** Outcome of a write in a batch. The result of an idempotency record is decoded by its reader, not under the ledger's lock. */
export type StoredOutcome =
  | Exclude<WriteOutcome, { readonly kind: 'replayed' }>
  | { readonly kind: 'replayed'; readonly storedResult: string };

/** @throws ApiError `service_unavailable` where a stored result is damaged. */
export function decodeOutcome(outcome: StoredOutcome): WriteOutcome {
  if (outcome.kind !== 'replayed') return outcome;
  try {
    return { kind: 'replayed', result: decodeResult(outcome.storedResult) };
  } catch (error) {
    throw notWritten(error);
  }
}

/** The idempotency records that a batch of writes finds, and those that it adds. */
export class IdempotencyRecords {
  readonly #found = new Map<string, IdempotencyRecord>();
  readonly #added = new Map<string, IdempotencyRecord>();

  /** @param found The records of the batch's keys, including old ones. */
  constructor(found: Iterable<IdempotencyRecord>) {
    for (const record of found) this.#found.set(record.scope, record);
  }

  /**
   * The new records. They must be written in the transaction of their movements, and replace any of the same scope.
   */
  get added(): readonly IdempotencyRecord[] {
    return [...this.#added.values()];
  }

  /** The result for a repeated request; `undefined` for a first one, or after the record's lifetime. */
  find({ scope, fingerprint }: Idempotency, atMs: number): StoredOutcome | undefined {
    const record = this.#added.get(scope) ?? this.#found.get(scope);
    if (!record || record.createdAtMs + IDEMPOTENCY_TTL_MS <= atMs) return undefined;
    if (record.fingerprint !== fingerprint) return { kind: 'key_reused' };
    return { kind: 'replayed', storedResult: record.result };
  }

  add({ scope, fingerprint }: Idempotency, result: WriteResult, atMs: number): void {
    this.#added.set(scope, { scope, fingerprint, result: encodeResult(result), createdAtMs: atMs });
  }
}
