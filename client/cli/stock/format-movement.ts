import type { Paint } from '@petstore-inventory/shared/terminal/paint';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { tableLines } from '@petstore-inventory/shared/terminal/table';
import { readableTime, thousands } from '@petstore-inventory/shared/terminal/texts';
import type { Movement } from '../../src/index.ts';

/** Movements as a table. */
export function movementLines(movements: readonly Movement[], paint: Paint): Iterable<string> {
  if (movements.length === 0) return ['No movements match.'];
  const rows = movements.map((movement) => [
    `${movement.sequence}`,
    readableTime(movement.recordedAt),
    `${movement.petId}`,
    paint.delta(movement.delta),
    thousands(movement.quantityAfter),
    paint.state(safe(movement.statusAfter)),
    safe(movement.kind),
    safe(movement.reason ?? ''),
    safe(movement.actor.name),
    safe(movement.note ?? ''),
  ]);
  const headings = [
    'MOVEMENT',
    'TIME',
    'PET',
    'CHANGE',
    'QUANTITY',
    'STATUS',
    'KIND',
    'REASON',
    'BY',
    'NOTE',
  ];
  return tableLines(headings, rows, paint);
}

/** A movement on one line, as it arrives. */
export function movementLine(movement: Movement, paint: Paint): string {
  const { petId, kind, delta, quantityBefore, quantityAfter, statusBefore, statusAfter } = movement;
  const { reservedBefore, reservedAfter, alert, orderId, reason, note, actor } = movement;
  const isStatusNew = statusBefore !== null && statusBefore !== statusAfter;
  return [
    paint.style('gray', safe(movement.recordedAt).slice(11, 19)),
    `pet ${petId}`,
    safe(kind),
    ...(delta === 0 ? [] : [paint.delta(delta)]),
    `${thousands(quantityBefore)} -> ${paint.style('bold', thousands(quantityAfter))}`,
    ...(isStatusNew ? [`${safe(statusBefore)} -> ${paint.state(safe(statusAfter))}`] : []),
    ...(reservedBefore === reservedAfter
      ? []
      : [`reserved ${thousands(reservedBefore)} -> ${thousands(reservedAfter)}`]),
    ...(alert === null ? [] : [paint.state(safe(alert))]),
    ...(orderId === null ? [] : [`order ${orderId}`]),
    ...(reason === null ? [] : [safe(reason)]),
    paint.style('gray', `by ${safe(actor.name)}`),
    ...(note === null ? [] : [paint.style('gray', `"${safe(note)}"`)]),
  ].join('  ');
}
