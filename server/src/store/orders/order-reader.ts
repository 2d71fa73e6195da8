import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type {
  DueOrders,
  OrderApproval,
  OrderPage,
  OrderQuery,
  OrderStore,
} from '../../domain/orders/order-store.ts';
import type { Order } from '../../domain/orders/orders.ts';
import { parseOrderEvent } from '../../domain/webhooks/order-events.ts';
import type { Parameter } from '../sql-client.ts';
import { type OrderRow, toOrder } from './order-rows.ts';
import { type OrderStatementName, orderPage } from './order-sql.ts';

/** How an engine runs one of its statements. */
type ReadOrders = <Row>(
  name: OrderStatementName,
  values: readonly Parameter[],
) => MaybePromise<readonly Row[]>;

/** A row of a page; an empty page is one row without an order. */
type PageRow = (OrderRow | { readonly [Name in keyof OrderRow]: null }) & {
  /** The last order read, where more may follow. */
  readonly lastRead: number | null;
};

interface ApprovalRow {
  readonly data: string;
  readonly recordedAtMs: number;
}

interface DueRow {
  readonly orderId: number;
  readonly lineCount: number;
}

/** The most lines of due orders to expire together: as many as `order-expiry.ts` takes of orders with four lines. */
const MAX_DUE_LINES = 200;

/** Reads orders of either engine. */
export class OrderReader implements OrderStore {
  readonly #read: ReadOrders;
  readonly #now: () => MaybePromise<number>;

  /** @param now The time by the clock of the service's instances. */
  constructor(read: ReadOrders, now: () => MaybePromise<number>) {
    this.#read = read;
    this.#now = now;
  }

  findOrder(orderId: number): MaybePromise<Order | undefined> {
    return andThen(this.#read<OrderRow>('order', [orderId]), ([row]) => row && toOrder(row));
  }

  listOrders(query: OrderQuery): MaybePromise<OrderPage> {
    const { name, values } = orderPage(query);
    return andThen(this.#read<PageRow>(name, values), (rows) => toPage(rows, query.limit));
  }

  findApproval(orderId: number): MaybePromise<OrderApproval | undefined> {
    return andThen(this.#read<ApprovalRow>('approval', [orderId]), ([row]) => row && toApproval(row));
  }

  dueOrders(limit: number): MaybePromise<DueOrders> {
    return andThen(this.#now(), (atMs) =>
      andThen(this.#read<DueRow>('dueOrders', [atMs, limit]), (rows) => {
        const orderIds = firstOf(rows);
        return { atMs, orderIds, hasMore: orderIds.length < rows.length || rows.length === limit };
      }),
    );
  }
}

function toApproval({ data, recordedAtMs }: ApprovalRow): OrderApproval {
  const { actor, actorName } = parseOrderEvent(data);
  return { actor, actorName, atMs: recordedAtMs };
}

/** The first orders with `MAX_DUE_LINES` together, or a single one with more. */
function firstOf(rows: readonly DueRow[]): number[] {
  let lines = 0;
  const end = rows.findIndex(({ lineCount }, i) => {
    lines += lineCount;
    return i > 0 && lines > MAX_DUE_LINES;
  });
  return rows.slice(0, end < 0 ? rows.length : end).map(({ orderId }) => orderId);
}

function toPage(rows: readonly PageRow[], limit: number): OrderPage {
  const orders: Order[] = [];
  for (const row of rows.slice(0, limit)) if (row.orderId !== null) orders.push(toOrder(row));
  const next = rows.length > limit ? orders.at(-1)?.orderId : rows[0]?.lastRead;
  return { orders, next: next ?? undefined };
}
