import type { Account } from '../../../api/schemas.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useUsage } from '../access-api.ts';
import styles from './usage-panel.module.css';

/** Both windows that limit an account: the current minute and the current day. */
export function WindowMeters({ account }: { account: Account }) {
  return (
    <div className={styles.meters}>
      <Meter account={account} unit="minute" />
      <Meter account={account} unit="day" />
    </div>
  );
}

function Meter({ account, unit }: { account: Account; unit: 'minute' | 'day' }) {
  const { usage } = useTexts().access;
  const format = useFormat();
  const { data } = useUsage(account.id, unit, 1);
  const limit = unit === 'minute' ? account.perMinute : account.perDay;
  const used = data?.requests ?? 0;
  const label = unit === 'minute' ? usage.thisMinute : usage.today;
  return (
    <div className={styles.meter}>
      <div className={`${styles.words} number`}>
        <span>{label}</span>
        <span>{data && usage.ofLimit(format.quantity(used), format.quantity(limit))}</span>
      </div>
      <div className={styles.bar} aria-hidden data-full={used >= limit || undefined}>
        {used > 0 && <div className={styles.fill} style={{ width: `${Math.min(used / limit, 1) * 100}%` }} />}
      </div>
    </div>
  );
}
