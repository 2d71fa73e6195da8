import type { Mutation } from './mutation.ts';
import { ACCESS } from './mutations/access.ts';
import { LEDGER } from './mutations/ledger.ts';
import { LIMITS } from './mutations/limits.ts';

export const ALL_MUTATIONS: readonly Mutation[] = [...LIMITS, ...ACCESS, ...LEDGER];
