import {
  IDEMPOTENCY_TTL_MS,
  type Idempotency,
  type WriteAnswer,
  type WriteResult,
} from '../../domain/write-command.ts';
import { notWritten } from '../errors.ts';
import { decodeResult, encodeResult } from './result-codec.ts';

/** Result of a request with an `Idempotency-Key`, as a database stores it. */
export interface IdempotencyRecord {
  readonly scope: string;
  readonly fingerprint: string;
  /** A `WriteResult`, encoded. */
  readonly result: string;
  readonly createdAtMs: number;
}

/** Result of a write in a batch. A stored result is decoded by its reader, not under the ledger's lock. */
export type WriteOutcome =
  | Exclude<WriteAnswer, { readonly kind: 'replayed' }>
  | { readonly kind: 'replayed'; readonly storedResult: string };

/** @throws ApiError `service_unavailable` where a stored result is damaged. */
export function answerOf(outcome: WriteOutcome): WriteAnswer {
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
  find({ scope, fingerprint }: Idempotency, atMs: number): WriteOutcome | undefined {
    const record = this.#added.get(scope) ?? this.#found.get(scope);
    if (!record || record.createdAtMs + IDEMPOTENCY_TTL_MS <= atMs) return undefined;
    if (record.fingerprint !== fingerprint) return { kind: 'key_reused' };
    return { kind: 'replayed', storedResult: record.result };
  }

  add({ scope, fingerprint }: Idempotency, result: WriteResult, atMs: number): void {
    this.#added.set(scope, { scope, fingerprint, result: encodeResult(result), createdAtMs: atMs });
  }
}
