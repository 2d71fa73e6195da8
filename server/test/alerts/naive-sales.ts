import type { Movement } from '../../src/domain/ledger/ledger.ts';

const DAY_MS = 86_400_000;

/**
 * Units of a pet that the ledger says were sold on the UTC day of a moment and the 29 days before it, by a scan of all
 * movements. A sale that was reverted is none.
 */
export function soldUnits(movements: readonly Movement[], petId: bigint, nowMs: number): number {
  const sinceMs = nowMs - (nowMs % DAY_MS) - 29 * DAY_MS;
  const reverted = new Set(movements.map(({ revertedSequence }) => revertedSequence));
  return movements
    .filter(({ kind, reason }) => kind === 'deliver' || (reason === 'sold' && kind !== 'revert'))
    .filter((sale) => sale.petId === petId && !reverted.has(sale.sequence) && sale.recordedAtMs >= sinceMs)
    .reduce((sum, sale) => sum + Math.max(0, sale.quantityBefore - sale.quantityAfter), 0);
}
