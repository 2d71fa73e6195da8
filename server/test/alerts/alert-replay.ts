import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { AlertLevel } from '@petstore-inventory/shared/words';
import type { Alert } from '../../src/domain/ledger/alerts.ts';
import type { Movement } from '../../src/domain/ledger/ledger.ts';

/** A movement with the thresholds that were in force for its pet. */
export interface DecidedMovement {
  readonly thresholds: Thresholds;
  readonly movement: Pick<
    Movement,
    'sequence' | 'petId' | 'quantityAfter' | 'reservedAfter' | 'alertBefore' | 'alertAfter'
  >;
  /** As the service reports it. */
  readonly alert: Alert | null;
}

/** A switch: on at `floor` or less, off again at `ceiling` or more. */
function isOn(wasOn: boolean, available: number, { lowStockAt, restockAt }: Thresholds): boolean {
  const floor = lowStockAt ?? 0;
  const ceiling = lowStockAt === null ? 1 : (restockAt ?? lowStockAt + 1);
  return available <= floor || (wasOn && available < ceiling);
}

function severityOf(available: number): AlertLevel {
  if (available > 0) return 'low';
  return available === 0 ? 'out' : 'oversold';
}

/** Levels and alerts that do not follow from the movements, and alerts that come twice; one sentence each. */
export function alertFaults(decided: readonly DecidedMovement[]): readonly string[] {
  const levels = new Map<bigint, AlertLevel | null>();
  const low = new Set<bigint>();
  const faults: string[] = [];
  for (const { movement, alert, thresholds } of decided) {
    const { sequence, petId, quantityAfter, reservedAfter, alertBefore, alertAfter } = movement;
    const before = levels.get(petId) ?? null;
    const available = quantityAfter - reservedAfter;
    const after = isOn(before !== null, available, thresholds) ? severityOf(available) : null;
    const event = eventOf(before, after);
    if (alertBefore !== before)
      faults.push(`Movement ${sequence} begins at ${alertBefore}, not at ${before}.`);
    if (alertAfter !== after) faults.push(`Movement ${sequence} ends at ${alertAfter}, not at ${after}.`);
    if (alert !== event) faults.push(`Movement ${sequence} reports ${alert}, not ${event}.`);
    if (alert === 'low' && low.has(petId)) faults.push(`Movement ${sequence} reports low again before back.`);
    if (alert === 'low') low.add(petId);
    if (alert === 'back') low.delete(petId);
    levels.set(petId, after);
  }
  return faults;
}

const SEVERITIES: readonly (AlertLevel | null)[] = [null, 'low', 'out', 'oversold'];

function eventOf(before: AlertLevel | null, after: AlertLevel | null): Alert | null {
  if (after === null) return before === null ? null : 'back';
  return SEVERITIES.indexOf(after) > SEVERITIES.indexOf(before) ? after : null;
}
