import { ORDER_ID, WRITE_HEADERS } from '../openapi/parameters.ts';
import { responses } from '../openapi/responses.ts';
import type { OperationDefinition } from '../request/operation.ts';
import type { WriteExecutor } from '../writes/write-executor.ts';
import { CHANGED_ORDER, STEP } from './order-document.ts';
import { stepBody, stepHandler, WHOLE } from './order-step.ts';

export const cancelOrder: OperationDefinition<{ readonly writer: WriteExecutor }> = {
  route: {
    operationId: 'cancelOrder',
    method: 'post',
    path: '/store/orders/{orderId}/cancel',
    tags: ['Orders'],
    summary: 'Cancel an order',
    description:
      'Releases the reserved units of a placed or approved order. Units that were delivered before stay delivered, and can still be returned. Without a body no `Content-Type` is needed.',
    'x-stability': 'beta',
    parameters: [ORDER_ID, ...WRITE_HEADERS],
    request: stepBody(WHOLE),
    responses: responses({ success: CHANGED_ORDER, errors: STEP }),
  },
  scope: 'orders:cancel',
  create: ({ writer }) => stepHandler(writer, 'cancel', WHOLE),
};
