import { UnstyledButton } from '@mantine/core';
import { useEffect } from 'react';
import { movementStream, useLiveStatus } from '../../live/use-live.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './offline-bar.module.css';

/** A thin bar while the service is not reached. */
export function OfflineBar() {
  const { live } = useTexts().app;
  const format = useFormat();
  const { sinceMs } = useLiveStatus();
  useEffect(() => {
    const retry = () => movementStream.retryNow();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, []);
  return (
    <div role="status">
      {sinceMs !== undefined && (
        <div className={styles.bar}>
          {live.offlineSince(format.time(new Date(sinceMs)))}
          <UnstyledButton className={styles.retry} onClick={() => movementStream.retryNow()}>
            {live.retry}
          </UnstyledButton>
        </div>
      )}
    </div>
  );
}
