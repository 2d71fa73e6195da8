import { isDeletion } from '@petstore-inventory/shared/deletion';
import type { ActivityEntry, Movement } from '../../api/schemas.ts';
import type { Texts } from '../../texts/en.ts';
import type { Format } from '../../texts/format.ts';

/** Whether a revert can restore what a movement changed. */
export function canUndo(movement: Movement): boolean {
  const { orderId, delta, statusBefore, statusAfter } = movement;
  return (
    !isDeletion(movement) &&
    orderId === null &&
    (delta !== 0 || (statusBefore !== null && statusBefore !== statusAfter))
  );
}

/** The name of who made a change. What has no key is the operator's command line, or the service itself. */
export function authorName({ keyId, name }: Movement['actor'], { movements }: Texts): string {
  if (keyId !== null) return name;
  return name === 'service' ? movements.service : movements.operator;
}

/** The reason of a change, or else its kind. */
export function whyOf(movement: Movement, { movements, shared }: Texts): string {
  const { reason, kind } = movement;
  if (isDeletion(movement)) return movements.deleted;
  if (reason !== null) return shared.reason[reason];
  // The kind is the same for a pet of a file and for one that a person added.
  if (movement.statusBefore === null) return movements.newPet;
  if (kind === 'import' && changesNothing(movement)) return movements.details;
  return movements.kind[isOfManyPets(movement) ? 'status' : kind];
}

const BULK_CHANGE_ID = /^blk_\w{16}$/;

/** Whether a change of many pets made it. */
export function isOfManyPets({ kind, referenceId }: Movement): boolean {
  return kind === 'import' && referenceId !== null && BULK_CHANGE_ID.test(referenceId);
}

/** Whether a person may have edited the pet by itself, which has a line of its own in the activity log. */
export function isEdit(movement: Movement): boolean {
  const { kind, referenceId, statusBefore } = movement;
  return kind === 'import' && referenceId === null && statusBefore !== null && changesNothing(movement);
}

/** The sequences of edits that are among the lines of the log: an edit and its line are recorded together. */
export function loggedEdits(
  edits: readonly Movement[],
  entries: readonly ActivityEntry[],
): ReadonlySet<number> {
  const lines = new Set(entries.map(({ target, recordedAt }) => `${target} ${recordedAt}`));
  const logged = edits.filter(({ petId, recordedAt }) => lines.has(`${petId} ${recordedAt}`));
  return new Set(logged.map(({ sequence }) => sequence));
}

/** An edit of the name, the category, the thresholds or the codes is a movement of no unit. */
function changesNothing(movement: Movement): boolean {
  const { delta, statusBefore, statusAfter, reservedBefore, reservedAfter } = movement;
  return delta === 0 && statusBefore === statusAfter && reservedBefore === reservedAfter;
}

/** The change of a movement in a few characters, with the values before and after. */
export function changeOf(
  movement: Movement,
  { movements, shared }: Texts,
  format: Format,
): { readonly change: string; readonly values: string } {
  const { delta, quantityBefore, quantityAfter, statusBefore, statusAfter } = movement;
  const quantities = movements.becomes(format.quantity(quantityBefore), format.quantity(quantityAfter));
  if (statusBefore === null) return { change: movements.added, values: format.quantity(quantityAfter) };
  if (delta !== 0) return { change: format.change(delta), values: quantities };
  const reserved = movement.reservedAfter - movement.reservedBefore;
  if (reserved !== 0) {
    const { reservedBefore, reservedAfter } = movement;
    return {
      change: movements.reserved(format.change(reserved)),
      values: movements.becomes(format.quantity(reservedBefore), format.quantity(reservedAfter)),
    };
  }
  if (statusBefore !== statusAfter) {
    const { status } = shared;
    return { change: movements.becomes(status[statusBefore], status[statusAfter]), values: '' };
  }
  // A count that finds what is expected.
  if (movement.kind === 'set') return { change: movements.confirmed, values: format.quantity(quantityAfter) };
  return { change: movements.edited, values: '' };
}
