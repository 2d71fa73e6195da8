import { bigintAsDigits } from '../../domain/bigint-as-digits.ts';
import type { RecordedAction } from './apply-batch.ts';

export const ACTION_COLUMNS = 'recorded_at, actor, request_id, action, target, details';

/** For a client that names parameters; the values are those of `actionValues`. */
export const RECORD_ACTION = `INSERT INTO activity (${ACTION_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)`;

/** The values of a row of `activity`; the database numbers it. */
export function actionValues({ author, recordedAtMs, action, target, details }: RecordedAction) {
  const { actor, requestId } = author;
  return [recordedAtMs, actor, requestId, action, target, JSON.stringify(details, bigintAsDigits)] as const;
}
