import type { Mutation } from './mutation.ts';
import { LIMITS } from './mutations/limits.ts';

export const ALL_MUTATIONS: readonly Mutation[] = [...LIMITS];
