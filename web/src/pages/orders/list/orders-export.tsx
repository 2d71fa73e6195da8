import { MAX_PAGE_ORDERS } from '@petstore-inventory/shared/limits';
import { readPage } from '../../../api/pages.ts';
import type { Order } from '../../../api/schemas.ts';
import { serviceNow } from '../../../api/service-clock.ts';
import type { FileColumns } from '../../../components/downloads/csv.ts';
import { ExportButton } from '../../../components/downloads/export-button.tsx';
import { readAll } from '../../../components/downloads/read-all.ts';
import { queryOf, type UrlFilters } from '../url-filters.ts';

/** A line of an order: a spreadsheet sums units of one pet per row. */
interface LineOfOrder {
  readonly order: Order;
  readonly line: Order['lines'][number];
}

const FILE_COLUMNS: FileColumns<LineOfOrder> = {
  orderId: ({ order }) => order.orderId,
  status: ({ order }) => order.status,
  petId: ({ line }) => line.petId,
  quantity: ({ line }) => line.quantity,
  delivered: ({ line }) => line.delivered,
  returned: ({ line }) => line.returned,
  reserved: ({ line }) => line.reserved,
  referenceId: ({ order }) => order.referenceId,
  note: ({ order }) => order.note,
  createdAt: ({ order }) => order.createdAt,
  updatedAt: ({ order }) => order.updatedAt,
  expiresAt: ({ order }) => order.expiresAt,
  author: ({ order }) => order.actor.name,
};

/** Writes the orders that the filters show into a file, with a row per line. */
export function OrdersExport({ filters }: { filters: UrlFilters }) {
  return (
    <ExportButton
      name="orders"
      columns={FILE_COLUMNS}
      read={(use, onProgress) => {
        const query = queryOf(filters, serviceNow());
        return readAll<Order>(
          (cursor) => readPage('/store/orders', { ...query, cursor, limit: MAX_PAGE_ORDERS }),
          (orders) => use(orders.flatMap((order) => order.lines.map((line) => ({ order, line })))),
          onProgress,
        );
      }}
    />
  );
}
