import { useLiveStatus } from '../live/use-live.ts';
import { useTexts } from '../texts/texts-context.tsx';
import styles from './draft-note.module.css';

/** Says before a person types that a form cannot be sent now, and whether it has a draft. */
export function OfflineNote({ isKept }: { isKept: boolean }) {
  const { unsent } = useTexts().app;
  const isOffline = useLiveStatus().state === 'offline';
  return (
    <div role="status" className={styles.note} hidden={!isOffline} data-offline>
      {isOffline && (isKept ? unsent.draft : unsent.form)}
    </div>
  );
}
