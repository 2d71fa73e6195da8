import type { Account } from '../domain/access/api-key.ts';
import { timestamp } from '../domain/timestamps.ts';

/** The members of an account in JSON. */
export function accountMembers({ id, name, plan, limits, createdAtMs }: Account) {
  return { id, name, plan, ...limits, createdAt: timestamp(createdAtMs) };
}
