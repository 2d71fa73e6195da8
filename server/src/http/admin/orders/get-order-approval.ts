import { z } from '@hono/zod-openapi';
import { timestamp } from '../../../domain/timestamps.ts';
import { actorMembers } from '../../../wire/actor-json.ts';
import { ORDER_ID } from '../../openapi/parameters.ts';
import { responses } from '../../openapi/responses.ts';
import { ORDER_NOT_FOUND } from '../../orders/order-document.ts';
import { noSuchOrder } from '../../orders/order-refusals.ts';
import { orderIdParameter } from '../../request/path-parameters.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ActorSchema } from '../../schemas/actor.ts';
import { moment } from '../../schemas/values.ts';
import { ADMIN_ERRORS, adminOperation, respondJson } from '../admin-operation.ts';

const ApprovalSchema = z
  .object({
    approvedAt: moment('When it was approved.').nullable(),
    actor: z.union([ActorSchema, z.null()]),
  })
  .openapi('OrderApproval', {
    description: 'Who approved an order. `null`: the order was not approved, or the record is pruned.',
  });

export const getOrderApproval = adminOperation({
  route: {
    operationId: 'getOrderApproval',
    method: 'get',
    path: '/store/orders/{orderId}/approval',
    tags: ['Orders'],
    summary: 'Get the approval of an order',
    description:
      'Returns when an order was approved and by whom. Its other steps are movements of its pets. A prune deletes the record.',
    'x-stability': 'beta',
    parameters: [ORDER_ID],
    responses: responses({
      success: { schema: ApprovalSchema, description: 'The approval.' },
      errors: { ...ADMIN_ERRORS, ...ORDER_NOT_FOUND },
    }),
  },
  role: 'viewer',
  create:
    ({ management }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      const orderId = orderIdParameter(parameter('orderId'));
      if (!(await management.orders.findOrder(orderId))) throw noSuchOrder(orderId);
      const approval = await management.orders.findApproval(orderId);
      return respondJson(context, 200, {
        approvedAt: approval ? timestamp(approval.atMs) : null,
        actor: approval ? actorMembers(approval) : null,
      });
    },
});
