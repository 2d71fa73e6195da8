import type { Principal } from '../../domain/access/principal.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Store } from '../../domain/store.ts';
import { activityOf } from '../../domain/write-activity.ts';
import type {
  BatchChange,
  SingleResult,
  WriteCommand,
  WriteOutcome,
  WriteResult,
} from '../../domain/write-command.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import { fieldName } from '../request/json-body.ts';
import type { RequestContext } from '../request/request-context.ts';
import { sentValue } from '../request/sent-value.ts';
import { quantityRule } from '../schemas/quantity.ts';
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
   * @throws ApiError `service_unavailable` or `idempotency_in_progress`, or `validation_failed` for a quantity above the
   * largest one, unless the request was executed before that was lowered.
   */
  async write(
    context: RequestContext,
    command: WriteCommand,
    key: string | undefined,
  ): Promise<WriteOutcome> {
    const refusal = quantityRefusal(command, this.maxQuantity);
    const { id, name, role } = (context.principal as Principal).key;
    // The body may have taken seconds to arrive: the author's time must not be before it.
    const atMs = Math.max(context.nowMs, this.store.now());
    const author = { actor: id, actorName: name, requestId: context.requestId, atMs };
    const request = { author, command, activity: role === null ? undefined : activityOf(command) };
    if (key === undefined) {
      if (refusal) throw refusal;
      return this.store.write(request);
    }
    const idempotency = { ...idempotencyOf(context, key, command), isRepeatOnly: refusal !== undefined };
    const outcome = await this.#keys.run(idempotency, () => this.store.write({ ...request, idempotency }));
    if (refusal && outcome.kind !== 'replayed') throw refusal;
    return outcome;
  }
}

/** The refusal of the first quantity that is set above the largest one; `undefined` without one. */
function quantityRefusal(command: WriteCommand, maxQuantity: number): ApiError | undefined {
  const refusalOf = (quantity: number, ...path: readonly PropertyKey[]) =>
    new ApiError(
      'validation_failed',
      `${fieldName([...path, 'quantity'])} ${quantityRule(maxQuantity)}${sentValue(quantity)}`,
    );
  const isAbove = (change: BatchChange) => change.kind === 'set' && change.quantity > maxQuantity;
  if (command.kind === 'change') {
    const { change } = command;
    return change.kind === 'set' && isAbove(change) ? refusalOf(change.quantity) : undefined;
  }
  if (command.kind !== 'batch') return undefined;
  const row = command.changes.findIndex(isAbove);
  const change = command.changes[row];
  return change?.kind === 'set' ? refusalOf(change.quantity, 'changes', row) : undefined;
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
