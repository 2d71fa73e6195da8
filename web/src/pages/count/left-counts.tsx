import { Button } from '@mantine/core';
import type { Count } from '../../counts/count.ts';
import { adopt } from '../../counts/use-counts.ts';
import { useMay, useSession } from '../../session/session-context.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './list.module.css';

/** Counts that somebody else made on this device, and that were not sent before that person left. */
export function LeftCounts({ counts }: { counts: readonly Count[] }) {
  const { count } = useTexts();
  const format = useFormat();
  const session = useSession();
  const maySend = useMay('staff');
  const [first] = counts;
  if (!first) return null;
  return (
    <div className={styles.left} role="status">
      {count.others(format.count(counts.length), first.by)}
      {maySend && (
        <Button variant="default" size="compact-md" onClick={() => adopt(counts, session)}>
          {count.sendAsMe}
        </Button>
      )}
    </div>
  );
}
