import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { SqlReader } from '../sql-client.ts';

/** The thresholds of pets without their own, as rows of `metadata`; no row means none. */
export const SHOP_THRESHOLDS = `SELECT max(CASE WHEN name = 'low_stock_at' THEN value END) AS "lowStockAt",
max(CASE WHEN name = 'restock_at' THEN value END) AS "restockAt" FROM metadata WHERE name IN ('low_stock_at', 'restock_at')`;

export interface ShopThresholdsRow {
  readonly lowStockAt: string | null;
  readonly restockAt: string | null;
}

export async function readShopThresholds(client: SqlReader): Promise<Thresholds> {
  return toThresholds((await client.all<ShopThresholdsRow>(SHOP_THRESHOLDS))[0]);
}

export function toThresholds(row: ShopThresholdsRow | undefined): Thresholds {
  const number = (text: string | null | undefined) =>
    text === null || text === undefined ? null : Number(text);
  return { lowStockAt: number(row?.lowStockAt), restockAt: number(row?.restockAt) };
}
