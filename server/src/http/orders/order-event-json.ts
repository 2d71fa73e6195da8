import { parseOrderEvent } from '../../domain/webhooks/order-events.ts';
import { actorJson } from '../schemas/actor-json.ts';
import { orderJson } from './order-json.ts';

/**
 * The `data` of an event of an order, for a webhook: the order after the step, and the author of the step.
 * @param recorded The data of the recorded event.
 */
export function orderEventJson(recorded: string): string {
  const { order, ...author } = parseOrderEvent(recorded);
  return `{"order":${orderJson(order)},"actor":${actorJson(author)}}`;
}
