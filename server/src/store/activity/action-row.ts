import { bigintAsText } from '../../domain/bigint-as-text.ts';
import type { Action, ActionAuthor } from '../../domain/management/activity.ts';

/** Adds a line to the activity log; its values are those of `actionRow`. */
export const RECORD_ACTION = `INSERT INTO activity (recorded_at, actor, request_id, action, target, details)
VALUES ($1, $2, $3, $4, $5, $6)`;

export function actionRow(
  { actor, requestId }: ActionAuthor,
  { action, target, details }: Action,
  atMs: number,
): (string | number | null)[] {
  return [atMs, actor, requestId, action, target, JSON.stringify(details, bigintAsText)];
}
