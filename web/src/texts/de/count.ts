import type { count as english } from '../en/count.ts';

export const count: typeof english = {};
