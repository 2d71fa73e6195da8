/**
 * When a pet is low. `restockAt` ends it, and is larger than `lowStockAt`: stock that moves around one number does not
 * alert again and again. Without `restockAt`, the next larger number ends it. Without `lowStockAt` a pet is never low.
 */
export interface Thresholds {
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
}

export const NO_THRESHOLDS: Thresholds = { lowStockAt: null, restockAt: null };
