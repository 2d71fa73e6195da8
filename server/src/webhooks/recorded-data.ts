import type { RecordedEvent } from '../domain/webhooks/events.ts';
import { parseOrderEvent } from '../domain/webhooks/order-events.ts';
import { orderEventJson } from '../wire/order-json.ts';
import type { SourceOptions } from './queues/event-source.ts';

function isOrderEvent({ type }: RecordedEvent): boolean {
  return type.startsWith('order.');
}

/** How the data of recorded events are read and rendered. */
export const RECORDED_DATA: SourceOptions = {
  petIdsOf: (event) =>
    isOrderEvent(event) ? parseOrderEvent(event.data).order.lines.map(({ petId }) => String(petId)) : [],
  renderRecorded: (event) => (isOrderEvent(event) ? orderEventJson(event.data) : event.data),
};
