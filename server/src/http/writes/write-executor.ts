import type { Principal } from '../../domain/access/principal.ts';
import type { Store } from '../../domain/store.ts';
import { activityOf } from '../../domain/write-activity.ts';
import type { SingleResult, WriteCommand, WriteOutcome, WriteResult } from '../../domain/write-command.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { RequestContext } from '../request/request-context.ts';
import { InFlightKeys, idempotencyOf, keyReused } from './idempotency-key.ts';

/** Result of a write, with headers that every response to it has. */
export interface Written<T extends WriteResult> {
  readonly result: T;
  readonly headers: Record<string, string>;
}

/** Runs the writes of all operations: adds the author, applies `Idempotency-Key`, and records the actions of management keys. */
export class WriteExecutor {
  readonly store: Store;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly maxQuantity: number;
  readonly #keys = new InFlightKeys();

  constructor(store: Store, baseUrl: string, maxQuantity: number) {
    this.store = store;
    this.baseUrl = baseUrl;
    this.maxQuantity = maxQuantity;
  }

  /**
   * Runs a write command for the caller, once per `Idempotency-Key`.
   * @throws ApiError `service_unavailable` or `idempotency_in_progress`.
   */
  write(context: RequestContext, command: WriteCommand, key: string | undefined): Promise<WriteOutcome> {
    const { id, name, role } = (context.principal as Principal).key;
    // The body may have taken seconds to arrive: the author's time must not be before it.
    const atMs = Math.max(context.nowMs, this.store.now());
    const author = { actor: id, actorName: name, requestId: context.requestId, atMs };
    const request = { author, command, activity: role === null ? undefined : activityOf(command) };
    if (key === undefined) return this.store.write(request);
    const idempotency = idempotencyOf(context, key, command);
    return this.#keys.run(idempotency, () => this.store.write({ ...request, idempotency }));
  }
}

/** @throws ApiError `idempotency_key_reused`. */
export function written<K extends WriteResult['kind']>(
  kind: K,
  outcome: WriteOutcome,
): Written<Extract<WriteResult, { kind: K }>> {
  if (outcome.kind === 'key_reused') throw keyReused();
  const { result } = outcome;
  if (result.kind !== kind) throw new Error(`A ${kind} write was answered with ${result.kind}.`);
  const headers: Record<string, string> = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' };
  if (outcome.kind === 'replayed') headers['Idempotency-Replayed'] = 'true';
  return { result: result as Extract<WriteResult, { kind: K }>, headers };
}

export type WrittenOne = Written<SingleResult>;
