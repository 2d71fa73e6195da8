import { ORDER_ID, WRITE_HEADERS } from '../openapi/parameters.ts';
import { responses } from '../openapi/responses.ts';
import type { OperationDefinition } from '../request/operation.ts';
import type { WriteExecutor } from '../writes/write-executor.ts';
import { CHANGED_ORDER, PARTIAL_STEP } from './order-document.ts';
import { PART, stepBody, stepHandler } from './order-step.ts';

export const returnOrder: OperationDefinition<{ readonly writer: WriteExecutor }> = {
  route: {
    operationId: 'returnOrder',
    method: 'post',
    path: '/store/orders/{orderId}/return',
    tags: ['Orders'],
    summary: 'Return units of an order',
    description:
      'Puts delivered units back into the stock: all that are left, or those of `lines`. The status of the order stays. Without a body no `Content-Type` is needed.',
    'x-stability': 'beta',
    parameters: [ORDER_ID, ...WRITE_HEADERS],
    request: stepBody(PART),
    responses: responses({ success: CHANGED_ORDER, errors: PARTIAL_STEP }),
  },
  scope: 'orders:return',
  create: ({ writer }) => stepHandler(writer, 'return', PART),
};
