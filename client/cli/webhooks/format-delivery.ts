import type { Paint } from '@petstore-inventory/shared/terminal/paint';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import type { Movement, Order, WebhookEvent } from '../../src/index.ts';
import { movementLine } from '../stock/format-movement.ts';
import { jsonOf } from '../terminal/printer.ts';
import type { Delivery } from './receiver.ts';

/** An event on one line. */
export function deliveryLine({ event, isRepeated }: Delivery, paint: Paint): string {
  return [
    paint.style('bold', safe(event.type)),
    contentOf(event, paint),
    paint.style('gray', safe(event.id)),
    ...(isRepeated ? [paint.style('yellow', 'delivered again')] : []),
  ].join('  ');
}

/** Later releases of the service have more types, so the beginning of the type decides. */
function contentOf({ type, timestamp, data }: WebhookEvent, paint: Paint): string {
  if (type.startsWith('inventory.')) return movementLine(data as Movement, paint);
  const time = paint.style('gray', safe(timestamp).slice(11, 19));
  if (!type.startsWith('order.')) return `${time}  ${jsonOf(data)}`;
  const { orderId, status, lines } = (data as { readonly order: Order }).order;
  const parts = lines.map(({ petId, quantity }) => `${petId}=${quantity}`).join(' ');
  return `${time}  order ${orderId}  ${paint.state(safe(status))}  ${parts}`;
}
