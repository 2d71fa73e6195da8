import { DAY_MS, HOUR_MS } from '@petstore-inventory/shared/durations';
import { ApiError, isApiError } from '../api/api-error.ts';
import { api, send } from '../api/client.ts';
import type {
  InventoryDetail,
  InventoryItem,
  InventoryUpdate,
  Movement,
  PetCount,
  StocktakeCount,
} from '../api/schemas.ts';
import { personOf } from '../offline/kept-session.ts';
import type { Session } from '../session/session-api.ts';
import { tagOf } from '../stock/stock-row.ts';
import {
  type Count,
  type Interference,
  type Refusal,
  type Sent,
  stockAfter,
  type WaitingEdit,
} from './count.ts';
import { movementsSince } from './movements-since.ts';
import { detailsMeanwhile, sendDetails } from './send-details.ts';

/** After this time an attempt fails: the connection may be lost without a sign, and all other counts wait. */
export const ATTEMPT_MS = 15_000;
/** The service keeps an idempotency key for 24 hours. Later, a change that adds could be made a second time. */
export const KEY_MS = 23 * HOUR_MS;
/** The code of an edit whose request may have arrived, and whose key may be forgotten. */
export const UNSURE = 'unsure';

export type Person = Pick<Session, 'keyId' | 'firstKeyId' | 'name'>;

const REFUSED_UNSURE = { state: 'refused', problem: { code: UNSURE, message: '' } } as const;

/** Sends a count, which is recorded if the pet is as it was when it was counted. */
export async function sendCount(count: Count): Promise<Sent> {
  if (isUnsure(count)) return REFUSED_UNSURE;
  const signal = AbortSignal.timeout(ATTEMPT_MS);
  try {
    const { quantity, tag } = await record(count, signal);
    return { state: 'sent', tag, ...(quantity !== stockAfter(count) && { stock: quantity }) };
  } catch (error) {
    if (isApiError(error, 'precondition_failed'))
      return withoutMatch(count) ?? changedMeanwhile(count, signal);
    if (!(error instanceof ApiError) || isToRepeat(error)) return undefined;
    return { state: 'refused', problem: refusalOf(error) };
  }
}

/** The idempotency key after another one, which is the same in each tab: without locks, two may send the count. */
export function nextKey(key: string): string {
  const [first = '', number = '1'] = key.split('.');
  return `${first}.${Number(number) + 1}`;
}

/** An addition holds on any stock: its first request did not arrive, and the next one needs no tag. */
function withoutMatch({ edit, key }: Count): Sent {
  if (!edit?.isMatched) return undefined;
  const { isMatched: _tried, ...rest } = edit;
  return { edit: rest, key: nextKey(key), isTried: false };
}

/**
 * How a count goes on in the name of another person. An addition whose request may have arrived does not: the service knows an
 * idempotency key only of the person that sent it, and would add the units again.
 */
export const inNameOf = (count: Count, person: Person): Partial<Count> => ({
  keyId: personOf(person),
  by: person.name,
  ...(isTriedAddition(count) && REFUSED_UNSURE),
});

const isTriedAddition = ({ edit, isTried }: Count): boolean => edit?.delta !== undefined && isTried === true;

function isUnsure(count: Count): boolean {
  if (!isTriedAddition(count)) return false;
  const { triedAtMs = Date.parse(count.countedAt) } = count;
  const elapsedMs = Date.now() - triedAtMs;
  // A clock that was set back does not show the time that passed.
  return elapsedMs > KEY_MS || elapsedMs < KEY_MS - DAY_MS;
}

/** Records a count for its stock-take, or as the stock of the pet; an edit as it was typed. */
async function record(count: Count, signal: AbortSignal) {
  if (count.edit?.details) return sendDetails(count, count.edit.details, signal);
  if (count.edit?.delta !== undefined) return addUnits(count, count.edit, signal);
  const { value, headers } = await setCounted(count, signal);
  return { quantity: value.quantity, tag: headers.get('ETag') ?? count.tag };
}

async function addUnits({ petId, key, tag }: Count, edit: WaitingEdit, signal: AbortSignal) {
  const { isMatched, ...change } = edit;
  const body = { ...change, reason: change.reason ?? 'correction' };
  const options = { body, idempotencyKey: key, signal, ...(isMatched && { ifMatch: tag }) };
  const movement = await api<Movement>('POST', `/inventory/${petId}/adjustments`, options);
  const { version, sequence: lastSequence, recordedAt, quantityAfter: quantity } = movement;
  return { quantity, tag: tagOf({ version, lastSequence, updatedAtMs: Date.parse(recordedAt) }) };
}

function setCounted({ stocktakeId, ...count }: Count, signal: AbortSignal) {
  const { petId, counted, countedAt: occurredAt } = count;
  const options = { ifMatch: count.tag, idempotencyKey: count.key, signal };
  if (stocktakeId !== undefined) {
    const path = `/stocktakes/${encodeURIComponent(stocktakeId)}/counts`;
    const body: PetCount = { petId, counted, occurredAt };
    return send<StocktakeCount>('POST', path, { ...options, body });
  }
  const why = count.edit ?? { reason: 'cycle_count' as const, occurredAt };
  const body = { quantity: counted, ...why } as InventoryUpdate;
  return send<InventoryItem>('PATCH', `/inventory/${petId}`, { ...options, body });
}

export const refusalOf = ({ code, message, request }: ApiError): Refusal => ({ code, message, request });

/** Not an answer about the count: the service was not reached, is busy, or the session is over. */
const isToRepeat = (error: ApiError): boolean => error.isUnsure || error.status === 401;

/** The count counts again from the state of now, unless somebody changed the quantity: then the person decides. */
async function changedMeanwhile(count: Count, signal: AbortSignal): Promise<Sent> {
  try {
    if (count.edit?.details) return await detailsMeanwhile(count, count.edit.details, signal);
    const { now, isSame } = await interferenceOf(count, signal);
    // A reservation, or another name, does not change what is on the shelf. An earlier count of the stock-take does neither.
    const isFree = isSame || (now.isCount === true && isBefore(now.at, count.countedAt));
    if (isFree && now.quantity === count.expected) return { tag: now.tag, key: nextKey(count.key) };
    return { state: 'conflict', now };
  } catch (error) {
    if (isApiError(error, 'not_found')) return { state: 'refused', problem: refusalOf(error) };
    return undefined;
  }
}

const isBefore = (earlier: string | undefined, later: string): boolean =>
  earlier !== undefined && Date.parse(earlier) <= Date.parse(later);

/** The pet as it is now, who changed its quantity since the tag of the count, and whether it is unchanged. */
export async function interferenceOf(
  count: Count,
  signal: AbortSignal,
): Promise<{ readonly now: Interference; readonly isSame: boolean }> {
  const { value, headers } = await send<InventoryDetail>('GET', `/inventory/${count.petId}`, { signal });
  const movements = await movementsSince(count, signal);
  const last = movements?.findLast(({ delta, kind }) => delta !== 0 || kind === 'set');
  const now = {
    quantity: value.quantity,
    tag: headers.get('ETag') ?? '',
    who: last?.actor.name,
    at: last?.recordedAt ?? value.updatedAt,
    ...(last && isCountOf(count, last) && { isCount: true }),
  };
  return { now, isSame: movements !== undefined && !last };
}

/** Whether another person counted the pet for the same stock-take, and the stock is as it was. */
const isCountOf = ({ stocktakeId }: Count, { kind, delta, referenceId }: Movement): boolean =>
  stocktakeId !== undefined && kind === 'set' && delta === 0 && referenceId === stocktakeId;
