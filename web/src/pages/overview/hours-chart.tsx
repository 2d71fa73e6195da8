import { ActionIcon, Tooltip } from '@mantine/core';
import { useState } from 'react';
import type { Overview } from '../../api/schemas.ts';
import { ChartTable } from '../../components/chart-table.tsx';
import { IconChartBar, IconTable } from '../../icons/icons.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './overview.module.css';

type Hours = Overview['hours'];
/** Each n-th hour has a label. */
const LABEL_EVERY = 6;

/** Changes per hour as columns, or as a table. */
export function HoursChart({ hours }: { hours: Hours }) {
  const { overview: texts, pet } = useTexts();
  const format = useFormat();
  const [isTable, setTable] = useState(false);
  const all = hours.reduce((sum, { movements }) => sum + movements, 0);
  const most = Math.max(1, ...hours.map(({ movements }) => movements));
  const label = isTable ? pet.asChart : pet.asTable;
  return (
    <section aria-labelledby="hours">
      <div className={styles.head}>
        <h2 id="hours" className={styles.heading}>
          {texts.hours}
        </h2>
        <Tooltip label={label}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => setTable(!isTable)}>
            {isTable ? <IconChartBar size={16} stroke={1.75} /> : <IconTable size={16} stroke={1.75} />}
          </ActionIcon>
        </Tooltip>
      </div>
      {isTable ? (
        <HoursTable hours={hours} />
      ) : (
        <div
          className={styles.columns}
          role="img"
          aria-label={texts.hoursSummary(format.quantity(all), format.quantity(most))}
        >
          {hours.map(({ beganAt, movements }, i) => (
            <span
              key={beganAt}
              className={styles.column}
              title={`${format.time(new Date(beganAt))}: ${texts.changes(format.quantity(movements), movements === 1)}`}
            >
              <span
                className={styles.fill}
                data-running={i === hours.length - 1 || undefined}
                style={{ height: `${(movements / most) * 100}%` }}
              />
              {i % LABEL_EVERY === 0 && <span className={styles.tick}>{format.time(new Date(beganAt))}</span>}
            </span>
          ))}
        </div>
      )}
    </section>
  );
}

function HoursTable({ hours }: { hours: Hours }) {
  const { overview: texts } = useTexts();
  const format = useFormat();
  return (
    <ChartTable label={texts.hoursTable}>
      <thead>
        <tr>
          <th scope="col">{texts.hour}</th>
          <th scope="col">{texts.changesInHour}</th>
        </tr>
      </thead>
      <tbody>
        {hours.toReversed().map(({ beganAt, movements }) => (
          <tr key={beganAt}>
            <td>{format.time(new Date(beganAt))}</td>
            <td>{format.quantity(movements)}</td>
          </tr>
        ))}
      </tbody>
    </ChartTable>
  );
}
