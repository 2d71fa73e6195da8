import { bigintAsText } from '../../domain/bigint-as-text.ts';
import type { RecordedAction } from './apply-batch.ts';

export const ACTION_COLUMNS = 'recorded_at, actor, request_id, action, target, details';

/** The values of a row of `activity`; the database numbers it. */
export function actionValues({ author, recordedAtMs, action, target, details }: RecordedAction) {
  const { actor, requestId } = author;
  return [recordedAtMs, actor, requestId, action, target, JSON.stringify(details, bigintAsText)] as const;
}
