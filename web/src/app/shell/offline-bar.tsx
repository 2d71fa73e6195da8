import { UnstyledButton } from '@mantine/core';
import { useEffect } from 'react';
import { useCounts } from '../../counts/use-counts.ts';
import { movementStream, useLiveStatus } from '../../live/use-live.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './offline-bar.module.css';

/** A thin bar while the service is not reached. */
export function OfflineBar() {
  const { live } = useTexts().app;
  const format = useFormat();
  const { sinceMs } = useLiveStatus();
  const waiting = useCounts().filter(({ state }) => state === 'waiting').length;
  useEffect(() => {
    const retry = () => movementStream.retryNow();
    const lose = () => movementStream.lose();
    window.addEventListener('online', retry);
    window.addEventListener('offline', lose);
    return () => {
      window.removeEventListener('online', retry);
      window.removeEventListener('offline', lose);
    };
  }, []);
  return (
    <div role="status">
      {sinceMs !== undefined && (
        <div className={styles.bar}>
          {live.offlineSince(format.time(new Date(sinceMs)))}
          {waiting > 0 && <span>{live.waiting(format.count(waiting))}</span>}
          <UnstyledButton className={styles.retry} onClick={() => movementStream.retryNow()}>
            {live.retry}
          </UnstyledButton>
        </div>
      )}
    </div>
  );
}
