import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { isApiError } from '../../../api/api-error.ts';
import { OrderBadge } from '../../../components/badge.tsx';
import { shownState } from '../../../components/shown-state.ts';
import { RelativeTime, useNow } from '../../../components/relative-time.tsx';
import { RouteDrawer } from '../../../components/route-drawer.tsx';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { PageSkeleton } from '../../../components/states/page-skeleton.tsx';
import { IconFileUnknown } from '../../../icons/icons.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import drawer from '../order-drawer.module.css';
import type { SeenOrder } from '../orders-api.ts';
import { useOrder, useOrderPets } from '../use-orders.ts';
import { OrderHistory } from './order-history.tsx';
import { OrderLines } from './order-lines.tsx';
import { OrderSteps } from './order-steps.tsx';

/** An order with its lines, the stock that they touch, what can be done next, and what was done. */
export function OrderDrawer({ orderId, closeTo }: { orderId: string; closeTo: string }) {
  const { orders } = useTexts();
  const { data: seen, error, refetch } = useOrder(orderId);
  const now = useNow();
  return (
    <RouteDrawer
      isOpen
      closeTo={closeTo}
      name={orders.order(orderId)}
      title={
        <span className={drawer.title}>
          {orders.order(orderId)}
          {seen && <OrderBadge state={shownState(seen.order, now)} />}
        </span>
      }
    >
      {seen ? (
        <Details key={seen.order.orderId} seen={seen} />
      ) : isApiError(error, 'not_found', 'invalid_parameter') ? (
        <EmptyState
          icon={IconFileUnknown}
          title={orders.noOrder}
          actions={
            <Button component={Link} href={closeTo} variant="default">
              {orders.toOrders}
            </Button>
          }
        >
          {orders.noOrderHint(orderId)}
        </EmptyState>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <PageSkeleton rows={4} />
      )}
    </RouteDrawer>
  );
}

function Details({ seen }: { seen: SeenOrder }) {
  const { order } = seen;
  const pets = useOrderPets([order]);
  return (
    <div className={drawer.content}>
      <OrderSteps seen={seen} pets={pets} />
      <Facts seen={seen} />
      <OrderLines order={order} pets={pets} />
      <OrderHistory order={order} pets={pets} />
    </div>
  );
}

function Facts({ seen: { order } }: { seen: SeenOrder }) {
  const { orders, shared } = useTexts();
  const { status, expiresAt, referenceId, note, createdAt, updatedAt, actor } = order;
  return (
    <dl className={drawer.facts}>
      <div>
        <dt>{orders.placedBy(actor.name)}</dt>
        <dd>
          <RelativeTime at={createdAt} />
        </dd>
      </div>
      {updatedAt !== createdAt && (
        <div>
          <dt>{orders.changed}</dt>
          <dd>
            <RelativeTime at={updatedAt} />
          </dd>
        </div>
      )}
      {(status === 'placed' || status === 'expired') && (
        <div>
          <dt>{status === 'placed' ? orders.expires : orders.expired}</dt>
          <dd>{expiresAt === null ? orders.never : <RelativeTime at={expiresAt} />}</dd>
        </div>
      )}
      {referenceId !== null && (
        <div>
          <dt>{shared.fields.reference}</dt>
          <dd className={drawer.text}>{referenceId}</dd>
        </div>
      )}
      {note !== null && (
        <div>
          <dt>{shared.fields.note}</dt>
          <dd className={drawer.text}>{note}</dd>
        </div>
      )}
    </dl>
  );
}
