import type { UsageUnit } from '../../../api/schemas.ts';
import { useFormat } from '../../../texts/texts-context.tsx';
import type { Period } from './periods.ts';

/** How axes and tables name a period. Days are those of UTC. */
export function usePeriodNames(unit: UsageUnit) {
  const format = useFormat();
  const shortName = ({ beganAt }: Pick<Period, 'beganAt'>) =>
    unit === 'day' ? format.utcDay(beganAt) : format.time(beganAt);
  const longName = (period: Pick<Period, 'beganAt'>) =>
    unit === 'day' ? shortName(period) : `${format.date(period.beganAt)}, ${shortName(period)}`;
  return { shortName, longName };
}
