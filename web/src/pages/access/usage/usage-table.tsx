import type { UsageUnit } from '../../../api/schemas.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { periodName } from './period-name.ts';
import styles from './usage-panel.module.css';
import type { Period } from './usage-periods.ts';

interface Props {
  readonly unit: UsageUnit;
  readonly periods: readonly Period[];
  readonly limit: number | undefined;
}

/** The chart as a table, the newest period first. */
export function UsageTable({ unit, periods, limit }: Props) {
  const { usage } = useTexts().access;
  const format = useFormat();
  return (
    <table className={`${styles.table} number`} aria-label={usage.ranges[unit]}>
      <thead>
        <tr>
          <th scope="col">{usage.period}</th>
          <th scope="col">{usage.requests}</th>
          {limit !== undefined && <th scope="col">{usage.share}</th>}
        </tr>
      </thead>
      <tbody>
        {periods.toReversed().map(({ beganAt, requests }) => (
          <tr key={beganAt.getTime()}>
            <td>{periodName(format, unit, beganAt)}</td>
            <td>{format.quantity(requests)}</td>
            {limit !== undefined && <td>{format.percent(requests / limit)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
