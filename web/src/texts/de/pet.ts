import type { pet as english } from '../en/pet.ts';

export const pet: typeof english = {};
