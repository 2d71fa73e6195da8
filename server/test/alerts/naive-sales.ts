import type { Movement } from '../../src/domain/ledger/ledger.ts';

const DAY_MS = 86_400_000;

/**
 * Units of a pet that the ledger says were sold on the UTC day of a moment and the 29 days before it, by a scan of all
 * movements. A sale that was reverted is none, unless its revert was reverted.
 */
export function soldUnits(movements: readonly Movement[], petId: bigint, nowMs: number): number {
  const sinceMs = nowMs - (nowMs % DAY_MS) - 29 * DAY_MS;
  const reverts = new Map(movements.map(({ revertedSequence, sequence }) => [revertedSequence, sequence]));
  const isReverted = (sequence: number): boolean => {
    const revert = reverts.get(sequence);
    return revert !== undefined && !isReverted(revert);
  };
  return movements
    .filter(({ kind, reason }) => kind === 'deliver' || (reason === 'sold' && kind !== 'revert'))
    .filter((sale) => sale.petId === petId && !isReverted(sale.sequence) && sale.recordedAtMs >= sinceMs)
    .reduce((sum, sale) => sum + Math.max(0, sale.quantityBefore - sale.quantityAfter), 0);
}
