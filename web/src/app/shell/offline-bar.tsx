import { UnstyledButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { handleHold } from '../../api/client.ts';
import { needsDecision } from '../../counts/count.ts';
import { useCounts } from '../../counts/use-counts.ts';
import { movementStream, useLiveStatus } from '../../live/use-live.ts';
import { useMay, usePersonId } from '../../session/session-context.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './offline-bar.module.css';

const COUNT_PATH = '/count';

/**
 * A thin bar while the service is not reached, while the limit of the key holds requests back, and while a count or an edit
 * needs a decision that another page shows, or was made with another key: no other page shows those, such as after the key
 * of the person was replaced.
 */
export function OfflineBar() {
  const { live } = useTexts().app;
  const format = useFormat();
  const { sinceMs } = useLiveStatus();
  const personId = usePersonId();
  const mayDecide = useMay('staff');
  const [path] = useLocation();
  const counts = useCounts();
  const waiting = counts.filter(({ state }) => state === 'waiting').length;
  const left = counts.filter((count) => count.keyId !== personId && count.state === 'waiting');
  const isHeld = useHold();
  const open = counts.filter((count) => count.keyId === personId && needsDecision(count)).length;
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
          <span>
            {live.offlineSince(format.time(new Date(sinceMs)))}{' '}
            <span className={styles.wide}>{live.maybeOld}</span>
          </span>
          {waiting > 0 && <span>{live.waiting(format.count(waiting))}</span>}
          <UnstyledButton className={styles.retry} onClick={() => movementStream.retryNow()}>
            {live.retry}
          </UnstyledButton>
        </div>
      )}
      {isHeld && sinceMs === undefined && <div className={styles.bar}>{live.held}</div>}
      {left[0] && mayDecide && sinceMs === undefined && path !== COUNT_PATH && (
        <div className={styles.bar}>
          {live.left(format.count(left.length), left[0].by)}
          <Link href={COUNT_PATH} className={styles.retry}>
            {live.decide}
          </Link>
        </div>
      )}
      {open > 0 && path !== COUNT_PATH && (
        <div className={styles.bar}>
          {live.decisions(format.count(open))}
          <Link href={COUNT_PATH} className={styles.retry}>
            {live.decide}
          </Link>
        </div>
      )}
    </div>
  );
}

/** Whether requests wait because the key has sent as many as it may in this minute. */
function useHold(): boolean {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    handleHold((untilMs) => {
      setHeld(true);
      clearTimeout(timer);
      timer = setTimeout(() => setHeld(false), untilMs - Date.now());
    });
    return () => {
      clearTimeout(timer);
      handleHold(() => {});
    };
  }, []);
  return isHeld;
}
