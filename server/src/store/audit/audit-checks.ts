import { isDeletion } from '@petstore-inventory/shared/deletion';
import type { AuditedMovement, AuditedStock, DeletedPet } from './audit-rows.ts';
import type { LastMovement } from './latest-movements.ts';

type Movement = AuditedMovement['movement'];

/** A sentence about a movement that does not follow from the pet's movement before it. */
export function historyFault(movement: Movement, last: LastMovement | undefined): string | undefined {
  const { previousSequence, version, quantityBefore, statusBefore, reservedBefore, alertBefore } = movement;
  const subject = `Movement ${movement.sequence} of pet ${movement.petId}`;
  if (previousSequence !== (last?.sequence ?? null)) {
    return `${subject} names movement ${previousSequence ?? 'none'} as the pet's previous one, which is ${last?.sequence ?? 'none'}.`;
  }
  if (version !== (last?.version ?? 0) + 1) {
    return `${subject} makes version ${version}, but the pet stood at version ${last?.version ?? 0}.`;
  }
  if (quantityBefore !== (last?.quantity ?? 0)) {
    return `${subject} begins at quantity ${quantityBefore}, but the pet stood at ${last?.quantity ?? 0}.`;
  }
  if (statusBefore !== (last?.status ?? null)) {
    return `${subject} begins at status ${statusBefore ?? 'none'}, but the pet stood at ${last?.status ?? 'none'}.`;
  }
  if (reservedBefore !== (last?.reserved ?? 0)) {
    return `${subject} begins with ${reservedBefore} units reserved, but the pet had ${last?.reserved ?? 0}.`;
  }
  if (alertBefore !== (last?.alertLevel ?? null)) {
    return `${subject} begins at alert level ${alertBefore ?? 'none'}, but the pet had ${last?.alertLevel ?? 'none'}.`;
  }
  return undefined;
}

/**
 * A sentence about a revert that does not match the movement that it reverts.
 * @param keptAfter Movements up to this one may be deleted.
 */
export function revertFault(
  { movement, revertedPetId }: AuditedMovement,
  isFirstRevert: boolean,
  keptAfter: number,
): string | undefined {
  const { sequence, petId, revertedSequence } = movement;
  if (revertedSequence === null) return undefined;
  const subject = `Movement ${sequence} of pet ${petId} takes back movement ${revertedSequence}`;
  if (revertedSequence >= sequence) return `${subject}, which does not come before it.`;
  const isGone = revertedSequence >= 1 && revertedSequence <= keptAfter;
  if (revertedPetId === null) return isGone ? undefined : `${subject}, which is not there.`;
  if (revertedPetId !== String(petId)) return `${subject}, which is of pet ${revertedPetId}.`;
  return isFirstRevert ? undefined : `${subject}, which was taken back before.`;
}

/** A sentence about a deletion that does not follow from the creation, which alone comes before it. */
export function deletionFault(movement: Movement, last: LastMovement | undefined): string | undefined {
  if (!isDeletion(movement)) return undefined;
  return movement.revertedSequence === (last?.sequence ?? null)
    ? undefined
    : `Movement ${movement.sequence} deletes pet ${movement.petId}, but does not take back the movement before it.`;
}

/** A sentence about a deleted pet whose record differs from its last movement. */
export function recordFault(deleted: DeletedPet, last: LastMovement | undefined): string | undefined {
  const { petId, lastSequence, version } = deleted;
  const isRight = last?.status === null && last.sequence === lastSequence && last.version === version;
  return isRight
    ? undefined
    : `Pet ${petId} is recorded as deleted by movement ${lastSequence} with version ${version}, which the ledger does not say.`;
}

/** A sentence about a pet's stock that differs from the newest of its movements. */
export function balanceFault(stock: AuditedStock, last: LastMovement): string | undefined {
  const subject = `Pet ${stock.petId}`;
  if (last.status === null) return `${subject} has stock, but movement ${last.sequence} deleted it.`;
  if (stock.quantity !== last.quantity) {
    return `${subject} has quantity ${stock.quantity}, but the ledger says ${last.quantity}.`;
  }
  if (stock.status !== last.status) {
    return `${subject} has status ${stock.status}, but the ledger says ${last.status}.`;
  }
  if (stock.reserved !== last.reserved) {
    return `${subject} has ${stock.reserved} units reserved, but the ledger says ${last.reserved}.`;
  }
  if (stock.alertLevel !== last.alertLevel) {
    return `${subject} has alert level ${stock.alertLevel ?? 'none'}, but the ledger says ${last.alertLevel ?? 'none'}.`;
  }
  if (stock.lastSequence !== last.sequence) {
    return `${subject} names movement ${stock.lastSequence} as its newest, which is ${last.sequence}.`;
  }
  if (stock.version !== last.version) {
    return `${subject} has version ${stock.version}, but the ledger says ${last.version}.`;
  }
  if (stock.updatedAtMs !== last.recordedAtMs) {
    return `${subject} was changed at another moment than its newest movement, ${last.sequence}.`;
  }
  return undefined;
}
