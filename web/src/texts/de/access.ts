import type { access as english } from '../en/access.ts';

export const access: typeof english = {};
