import { ApiError, type ErrorCode } from '../../domain/errors.ts';
import { petNotFound } from '../../domain/inventory.ts';
import {
  type Preconditions,
  type Stock,
  type StockRefusal,
  sequenceOfTag,
  stockTag,
  unmetHeader,
} from '../../domain/ledger/stock.ts';
import type { Ledger } from '../../domain/ledger-store.ts';
import type { RevertRefusal } from '../../domain/write-command.ts';
import { weakened } from '../request/entity-tags.ts';
import type { WriteExecutor, WrittenOne } from './write-executor.ts';

/** The pet and the conditions of a write. Its refusal depends on them. */
export interface WriteTarget extends Preconditions {
  readonly petId: bigint;
  /** The movement to revert. */
  readonly sequence?: number;
}

type Refusal = StockRefusal | RevertRefusal | 'not_found';

/** The public error code per refusal of the domain. */
export const CODE_OF_REFUSAL: Readonly<Record<Refusal, ErrorCode>> = {
  not_found: 'not_found',
  precondition_failed: 'precondition_failed',
  conflict: 'conflict',
  insufficient_stock: 'insufficient_stock',
  stock_reserved: 'insufficient_stock',
  too_much_stock: 'conflict',
  nothing_to_revert: 'conflict',
  no_such_movement: 'not_found',
  movement_pruned: 'history_pruned',
  already_reverted: 'conflict',
  movement_of_order: 'conflict',
};

/** The reason of a refusal, with the current stock. */
export function refusalMessage(
  code: Refusal,
  target: WriteTarget,
  stock: Stock | null,
  maxQuantity: number,
): string {
  const { petId, changeFromQuantity, sequence } = target;
  if (code === 'not_found' || !stock) return petNotFound(petId).message;
  const current = currentStock(petId, stock);
  switch (code) {
    case 'precondition_failed':
      return unmetHeader(target, stock) === 'If-None-Match'
        ? `If-None-Match names the current state: ${current}.`
        : `If-Match names another state: ${current}.`;
    case 'conflict':
      return `changeFromQuantity is ${changeFromQuantity}, but ${current}.`;
    case 'insufficient_stock':
      return `The stock is not enough: ${current}.`;
    case 'stock_reserved':
      return `Without "takeReserved": true the change cannot take reserved units: ${current}.`;
    case 'too_much_stock':
      return `The result would be more than ${maxQuantity}, the largest quantity: ${current}.`;
    case 'nothing_to_revert':
      return `Nothing would change: ${current}.`;
    case 'no_such_movement':
      return `petId ${petId} has no movement ${sequence}.`;
    case 'movement_pruned':
      return `A prune deleted movement ${sequence}.`;
    case 'already_reverted':
      return `Movement ${sequence} was reverted before.`;
    case 'movement_of_order':
      return `Movement ${sequence} is a step of an order: cancel the order, or return its units, to undo it.`;
  }
}

/** The stock of a pet as part of a sentence. */
export function currentStock(petId: bigint, { quantity, reserved, status, version }: Stock): string {
  const units =
    reserved === 0
      ? `${quantity}`
      : `${quantity}, of which ${reserved} ${reserved === 1 ? 'is' : 'are'} reserved,`;
  return `petId ${petId} has quantity ${units} and status ${status} at version ${version}`;
}

/**
 * A refusal with the current stock in its headers, and a link to the movements since the caller last read it. All of it
 * follows from the result and the request, so a replay returns the same.
 */
export async function refusedWrite(
  writer: WriteExecutor,
  target: WriteTarget,
  code: Refusal,
  { result: { stock }, headers }: WrittenOne,
): Promise<ApiError> {
  const message = refusalMessage(code, target, stock, writer.maxQuantity);
  if (!stock) return new ApiError(CODE_OF_REFUSAL[code], message, { headers });
  const stockHeadersNow = await currentStockHeaders(writer, target, code, stock);
  return new ApiError(CODE_OF_REFUSAL[code], message, { headers: { ...headers, ...stockHeadersNow } });
}

/** Headers of a refusal: the current stock, and a link to the movements that led to it. */
export async function currentStockHeaders(
  { store, baseUrl }: WriteExecutor,
  target: WriteTarget,
  code: Refusal,
  stock: Stock,
): Promise<Record<string, string>> {
  const after = await lastSeenSequence(store.ledger, target, code, stock);
  // Without a known last read, the newest movements help most.
  const since = after === undefined ? '?order=desc' : `?after=${after}`;
  const history = `<${baseUrl}/inventory/${target.petId}/movements${since}>; rel="version-history"`;
  return { ...stockHeaders(stock), Link: history };
}

/** Headers of a refusal: the current stock. */
export function stockHeaders(stock: Stock): Record<string, string> {
  return {
    ETag: `"${stockTag(stock)}"`,
    'Inventory-Quantity': String(stock.quantity),
    'Inventory-Version': String(stock.version),
  };
}

/** The last movement that the caller has seen, as far as the conditions of its write show. */
async function lastSeenSequence(
  ledger: Ledger,
  { petId, ifMatch, changeFromQuantity }: WriteTarget,
  code: Refusal,
  { lastSequence, quantity }: Stock,
): Promise<number | undefined> {
  if (code === 'conflict') {
    if (changeFromQuantity === undefined) return undefined;
    try {
      return await ledger.lastSequenceWith(petId, changeFromQuantity, lastSequence);
    } catch {
      // The refusal is decided, and may be recorded: a 503 for its link would say that the write can be retried.
      return undefined;
    }
  }
  if (code !== 'precondition_failed' && changeFromQuantity === quantity) return lastSequence;
  if (!ifMatch || ifMatch === '*') return undefined;
  // A tag of another ledger, such as one before a backup was restored, may be ahead of this one.
  const seen = ifMatch.map((tag) => sequenceOfTag(weakened(tag)) ?? 0).filter((one) => one <= lastSequence);
  return Math.max(0, ...seen) || undefined;
}
