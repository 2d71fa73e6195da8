import { bigintAsDigits } from '../../domain/bigint-json.ts';
import type { Action, ActionAuthor } from '../../domain/management/activity.ts';
import type { LockingClient } from '../sql-client.ts';
import type { RecordedAction } from './apply-batch.ts';

export const ACTION_COLUMNS = 'recorded_at, actor, request_id, action, target, details';

const RECORD_ACTION = `INSERT INTO activity (${ACTION_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)`;

/** The values of a row of `activity`; the database numbers it. */
export function actionValues({ author, recordedAtMs, action, target, details }: RecordedAction) {
  const { actor, requestId } = author;
  return [recordedAtMs, actor, requestId, action, target, JSON.stringify(details, bigintAsDigits)] as const;
}

/**
 * Adds a line to the activity log. The caller's transaction also makes the change that the line reports.
 * @param atMs The time to record; by default that of `now`.
 */
export async function recordAction(
  client: Pick<LockingClient, 'run' | 'now'>,
  author: ActionAuthor,
  action: Action,
  atMs?: number,
): Promise<void> {
  const recordedAtMs = atMs ?? (await client.now());
  await client.run(RECORD_ACTION, actionValues({ ...action, author, recordedAtMs }));
}
