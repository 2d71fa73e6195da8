import { ChartTable } from '../../components/chart-table.tsx';
import { authorName, changeOf, whyOf } from '../../components/movements/movement-facts.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './chart.module.css';
import type { ChartPoint } from './chart-points.ts';

/** The points of the chart, newest first. */
export function PointsTable({ points }: { points: readonly ChartPoint[] }) {
  const texts = useTexts();
  const format = useFormat();
  const { pet, shared } = texts;
  const rows = points.flatMap(({ movement, ...point }) => (movement ? [{ ...point, movement }] : []));
  if (rows.length === 0) return <p className={styles.note}>{pet.noChanges}</p>;
  return (
    <ChartTable label={pet.table}>
      <thead>
        <tr>
          <th scope="col">{pet.time}</th>
          <th scope="col" className={styles.amount}>
            {pet.change}
          </th>
          <th scope="col" className={styles.amount}>
            {shared.fields.quantity}
          </th>
          <th scope="col" className={styles.amount}>
            {shared.fields.available}
          </th>
          <th scope="col">{pet.why}</th>
          <th scope="col">{pet.who}</th>
        </tr>
      </thead>
      <tbody>
        {rows.toReversed().map(({ atMs, quantity, available, movement }) => (
          <tr key={movement.sequence}>
            <td>{format.dateTime(new Date(atMs))}</td>
            <td className={styles.amount}>{changeOf(movement, texts, format).change}</td>
            <td className={styles.amount}>{format.quantity(quantity)}</td>
            <td className={styles.amount}>{format.quantity(available)}</td>
            <td>{whyOf(movement, texts)}</td>
            <td>{authorName(movement.actor, texts)}</td>
          </tr>
        ))}
      </tbody>
    </ChartTable>
  );
}
