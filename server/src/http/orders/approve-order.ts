import { ORDER_ID, WRITE_HEADERS } from '../openapi/parameters.ts';
import { responses } from '../openapi/responses.ts';
import type { OperationDefinition } from '../request/operation.ts';
import type { WriteExecutor } from '../writes/write-executor.ts';
import { CHANGED_ORDER, STEP } from './order-document.ts';
import { BARE, stepHandler } from './order-step.ts';

export const approveOrder: OperationDefinition<{ readonly writer: WriteExecutor }> = {
  route: {
    operationId: 'approveOrder',
    method: 'post',
    path: '/store/orders/{orderId}/approve',
    tags: ['Orders'],
    summary: 'Approve an order',
    description:
      'Accepts a placed order before it expires. From then on it never expires, and its units stay reserved until they are delivered or the order is cancelled. An approval moves no stock, so there is no movement that could record an explanation, and no body.',
    'x-stability': 'beta',
    parameters: [ORDER_ID, ...WRITE_HEADERS],
    responses: responses({ success: CHANGED_ORDER, errors: STEP }),
  },
  scope: 'orders:approve',
  create: ({ writer }) => stepHandler(writer, 'approve', BARE),
};
