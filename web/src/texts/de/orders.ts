import type { orders as english } from '../en/orders.ts';

export const orders: typeof english = {};
