import { ORDER_ID, WRITE_HEADERS } from '../openapi/parameters.ts';
import { responses } from '../openapi/responses.ts';
import type { OperationDefinition } from '../request/operation.ts';
import type { WriteExecutor } from '../writes/write-executor.ts';
import { CHANGED_ORDER, PARTIAL_STEP } from './order-document.ts';
import { PART, stepBody, stepHandler } from './order-step.ts';

export const deliverOrder: OperationDefinition<{ readonly writer: WriteExecutor }> = {
  route: {
    operationId: 'deliverOrder',
    method: 'post',
    path: '/store/orders/{orderId}/deliver',
    tags: ['Orders'],
    summary: 'Deliver an order',
    description:
      'Takes units of an approved order from the stock, and their reservation with them: all that are left, or those of `lines`. When all units are delivered, so is the order. Without a body no `Content-Type` is needed.',
    'x-stability': 'beta',
    parameters: [ORDER_ID, ...WRITE_HEADERS],
    request: stepBody(PART),
    responses: responses({ success: CHANGED_ORDER, errors: PARTIAL_STEP }),
  },
  scope: 'orders:deliver',
  create: ({ writer }) => stepHandler(writer, 'deliver', PART),
};
