import type { imports as english } from '../en/imports.ts';

export const imports: typeof english = {};
