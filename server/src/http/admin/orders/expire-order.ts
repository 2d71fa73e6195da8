import { ORDER_ID, WRITE_HEADERS } from '../../openapi/parameters.ts';
import { responses } from '../../openapi/responses.ts';
import { CHANGED_ORDER, STEP } from '../../orders/order-document.ts';
import { BARE, stepHandler } from '../../orders/order-step.ts';
import { ADMIN_ERRORS, adminOperation } from '../admin-operation.ts';

export const expireOrder = adminOperation({
  route: {
    operationId: 'expireOrder',
    method: 'post',
    path: '/store/orders/{orderId}/expire',
    tags: ['Orders'],
    summary: 'Expire an order before its time',
    description:
      'Releases the reserved units of a placed order, also before `expiresAt`. The service itself expires orders whose time has passed. No body is needed.',
    'x-stability': 'beta',
    parameters: [ORDER_ID, ...WRITE_HEADERS],
    responses: responses({ success: CHANGED_ORDER, errors: { ...STEP, ...ADMIN_ERRORS } }),
  },
  role: 'staff',
  create: ({ writer }) => stepHandler(writer, 'expire', BARE),
});
