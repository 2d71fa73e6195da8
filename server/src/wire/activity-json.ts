import type { ActivityEntry } from '../domain/management/activity.ts';
import { timestamp } from '../domain/timestamps.ts';
import { actorMembers } from './actor-json.ts';

/** The members of a line of the activity log in JSON, with numbers that are not exact as bigints. */
export function activityMembers(entry: ActivityEntry) {
  const { recordedAtMs, requestId, action, target, details } = entry;
  return {
    recordedAt: timestamp(recordedAtMs),
    actor: actorMembers(entry),
    requestId,
    action,
    target,
    details,
  };
}
