import type { UsageUnit } from '../../../api/schemas.ts';
import type { Format } from '../../../texts/format.ts';

/** The name of a period in a table. Days are those of UTC. */
export function periodName(format: Format, unit: UsageUnit, beganAt: Date): string {
  return unit === 'day' ? format.utcDay(beganAt) : `${format.date(beganAt)}, ${format.time(beganAt)}`;
}

/** The shorter name below a column. */
export function columnName(format: Format, unit: UsageUnit, beganAt: Date): string {
  return unit === 'day' ? format.utcDay(beganAt) : format.time(beganAt);
}
