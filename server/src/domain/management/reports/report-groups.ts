import { OperatorError } from '../../errors.ts';

/** Rows of a report that is not by pet; they are in memory until all of them are known. */
export const MAX_GROUPS = 20_000;

/** @throws OperatorError `invalid_parameter` for more groups than memory should hold. */
export function addGroup<Key, Row>(groups: Map<Key, Row>, key: Key, row: Row): void {
  groups.set(key, row);
  if (groups.size <= MAX_GROUPS) return;
  throw new OperatorError(
    `The report has more than ${MAX_GROUPS} rows. Choose a shorter period or a category, or group by pet.`,
    { code: 'invalid_parameter' },
  );
}
