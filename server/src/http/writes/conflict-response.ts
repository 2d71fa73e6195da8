import { ApiError, type ErrorCode } from '../../domain/errors.ts';
import { petNotFound } from '../../domain/inventory.ts';
import type { Ledger } from '../../domain/ledger-store.ts';
import {
  type Preconditions,
  type Stock,
  type StockRefusal,
  sequenceOfTag,
  stockTag,
  unmetHeader,
} from '../../domain/stock.ts';
import { weakened } from '../request/entity-tags.ts';
import type { WriteExecutor, WrittenOne } from './write-executor.ts';

/** What was asked of a pet, as far as its refusal depends on it. */
export interface WriteTarget extends Preconditions {
  readonly petId: bigint;
}

/** The code of the interface for each reason why stock stands against a change. */
export const CODE_OF_REFUSAL: Readonly<Record<StockRefusal | 'not_found', ErrorCode>> = {
  not_found: 'not_found',
  precondition_failed: 'precondition_failed',
  conflict: 'conflict',
  insufficient_stock: 'insufficient_stock',
  too_much_stock: 'conflict',
  nothing_to_revert: 'conflict',
};

/** Why a change was refused, in words that tell what there is. */
export function refusalMessage(
  code: StockRefusal | 'not_found',
  target: WriteTarget,
  stock: Stock | null,
  maxQuantity: number,
): string {
  const { petId, changeFromQuantity } = target;
  if (code === 'not_found' || !stock) return petNotFound(petId).message;
  const { quantity, status, version } = stock;
  const there = `petId ${petId} has quantity ${quantity} and status ${status} at version ${version}`;
  switch (code) {
    case 'precondition_failed':
      return unmetHeader(target, stock) === 'If-None-Match'
        ? `If-None-Match names the present state: ${there}.`
        : `If-Match names another state: ${there}.`;
    case 'conflict':
      return `changeFromQuantity is ${changeFromQuantity}, but ${there}.`;
    case 'insufficient_stock':
      return `There is not enough in stock: ${there}.`;
    case 'too_much_stock':
      return `The change would leave more than ${maxQuantity}, the largest quantity there can be: ${there}.`;
    case 'nothing_to_revert':
      return `Nothing would change: ${there}.`;
  }
}

/**
 * A refusal that explains itself: its headers tell what is there now, and lead to the movements since what the caller
 * last saw. All of it follows from the result and the request, so that a repetition is told the same.
 */
export async function refusedWrite(
  writer: WriteExecutor,
  target: WriteTarget,
  code: StockRefusal | 'not_found',
  { result: { stock }, headers }: WrittenOne,
): Promise<ApiError> {
  const message = refusalMessage(code, target, stock, writer.maxQuantity);
  if (!stock) return new ApiError(CODE_OF_REFUSAL[code], message, { headers });
  const stockHeadersNow = await currentStockHeaders(writer, target, code, stock);
  return new ApiError(CODE_OF_REFUSAL[code], message, { headers: { ...headers, ...stockHeadersNow } });
}

/** What a refusal tells of the stock that stands against it, with the way to the movements that led there. */
export async function currentStockHeaders(
  { store, baseUrl }: WriteExecutor,
  target: WriteTarget,
  code: StockRefusal | 'not_found',
  stock: Stock,
): Promise<Record<string, string>> {
  const after = await lastSeenSequence(store.ledger, target, code, stock);
  // Where nobody knows what the caller saw, the newest movements tell most.
  const since = after === undefined ? '?order=desc' : `?after=${after}`;
  const history = `<${baseUrl}/inventory/${target.petId}/movements${since}>; rel="version-history"`;
  return { ...stockHeaders(stock), Link: history };
}

/** What a refusal tells of the stock that stands against it. */
export function stockHeaders(stock: Stock): Record<string, string> {
  return {
    ETag: `"${stockTag(stock)}"`,
    'Inventory-Quantity': String(stock.quantity),
    'Inventory-Version': String(stock.version),
  };
}

/** The movement after which the caller last looked, as far as the conditions of its write tell. */
async function lastSeenSequence(
  ledger: Ledger,
  { petId, ifMatch, changeFromQuantity }: WriteTarget,
  code: StockRefusal | 'not_found',
  { lastSequence, quantity }: Stock,
): Promise<number | undefined> {
  if (code === 'conflict') {
    if (changeFromQuantity === undefined) return undefined;
    return ledger.lastSequenceWith(petId, changeFromQuantity, lastSequence);
  }
  if (code !== 'precondition_failed' && changeFromQuantity === quantity) return lastSequence;
  if (!ifMatch || ifMatch === '*') return undefined;
  // A tag of another ledger, such as one before a backup was restored, may be ahead of this one.
  const seen = ifMatch.map((tag) => sequenceOfTag(weakened(tag)) ?? 0).filter((one) => one <= lastSequence);
  return Math.max(0, ...seen) || undefined;
}
