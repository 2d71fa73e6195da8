import type { Movement } from '../../domain/ledger.ts';
import { timestamp } from '../../domain/timestamps.ts';

/**
 * The JSON of a movement in every response and event. Written by hand, because `JSON.stringify` rejects bigints and a
 * number cannot hold every petId.
 */
export function movementJson(movement: Movement): string {
  const { sequence, previousSequence, petId, version, kind, quantityBefore, quantityAfter } = movement;
  const { occurredAtMs, actor, actorName, recordedAtMs, revertedSequence, hash } = movement;
  const text = JSON.stringify;
  return `{"sequence":${sequence},"petId":${petId},"version":${version},"kind":"${kind}","delta":${quantityAfter - quantityBefore},"quantityBefore":${quantityBefore},"quantityAfter":${quantityAfter},"statusBefore":${text(movement.statusBefore)},"statusAfter":"${movement.statusAfter}","reason":${text(movement.reason)},"note":${text(movement.note)},"referenceDocumentUri":${text(movement.referenceDocumentUri)},"referenceId":${text(movement.referenceId)},"occurredAt":${occurredAtMs === null ? null : `"${timestamp(occurredAtMs)}"`},"recordedAt":"${timestamp(recordedAtMs)}","actor":{"keyId":${actor === 'cli' ? null : text(actor)},"name":${text(actorName)}},"requestId":${text(movement.requestId)},"revertedSequence":${revertedSequence},"previousSequence":${previousSequence},"hash":"${hash}"}`;
}
