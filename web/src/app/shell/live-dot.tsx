import { Tooltip } from '@mantine/core';
import { useLiveStatus } from '../../live/use-live.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './live-dot.module.css';

/** Whether changes of others arrive. */
export function LiveDot() {
  const { live } = useTexts().app;
  const { state } = useLiveStatus();
  return (
    <Tooltip label={live.liveHint} disabled={state !== 'live'}>
      <span className={styles.live} data-state={state} role="status">
        <span className={styles.dot} aria-hidden />
        <span className={styles.label}>{live[state]}</span>
      </span>
    </Tooltip>
  );
}
