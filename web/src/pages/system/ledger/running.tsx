import { Progress } from '@mantine/core';
import { useFormat } from '../../../texts/texts-context.tsx';
import { durationText } from '../../../components/duration.ts';
import styles from './running.module.css';

/** Work whose length is not known, with the time it has taken. */
export function Running({ label, seconds }: { label: string; seconds: number }) {
  const { locale } = useFormat();
  return (
    <div className={styles.running} role="status">
      <Progress.Root size={4}>
        <Progress.Section value={100} animated aria-label={label} />
      </Progress.Root>
      <span>
        {label} <span className="number">{durationText(seconds, locale)}</span>
      </span>
    </div>
  );
}
