import { alertOf } from '../domain/ledger/alerts.ts';
import type { Movement } from '../domain/ledger/ledger.ts';
import { timestamp } from '../domain/timestamps.ts';
import { actorJson } from './actor-json.ts';

/**
 * The JSON of a movement in every response and event. Written by hand, because `JSON.stringify` rejects bigints and a
 * number cannot hold every petId.
 */
export function movementJson(movement: Movement): string {
  const { sequence, previousSequence, petId, version, kind, quantityBefore, quantityAfter } = movement;
  const { reservedBefore, reservedAfter, alertBefore, alertAfter, orderId } = movement;
  const { occurredAtMs, recordedAtMs, revertedSequence, hash } = movement;
  const text = JSON.stringify;
  return `{"sequence":${sequence},"petId":${petId},"version":${version},"kind":"${kind}","delta":${quantityAfter - quantityBefore},"quantityBefore":${quantityBefore},"quantityAfter":${quantityAfter},"statusBefore":${text(movement.statusBefore)},"statusAfter":"${movement.statusAfter}","reservedBefore":${reservedBefore},"reservedAfter":${reservedAfter},"alertBefore":${text(alertBefore)},"alertAfter":${text(alertAfter)},"alert":${text(alertOf(alertBefore, alertAfter))},"orderId":${orderId},"reason":${text(movement.reason)},"note":${text(movement.note)},"referenceDocumentUri":${text(movement.referenceDocumentUri)},"referenceId":${text(movement.referenceId)},"occurredAt":${occurredAtMs === null ? null : `"${timestamp(occurredAtMs)}"`},"recordedAt":"${timestamp(recordedAtMs)}","actor":${actorJson(movement)},"requestId":${text(movement.requestId)},"revertedSequence":${revertedSequence},"previousSequence":${previousSequence},"hash":"${hash}"}`;
}
