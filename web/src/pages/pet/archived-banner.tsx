import { RelativeTime } from '../../components/relative-time.tsx';
import { IconArchive } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './archived-banner.module.css';

export function ArchivedBanner({ at }: { at: string }) {
  const { pet } = useTexts();
  return (
    <p className={styles.banner}>
      <IconArchive size={16} stroke={1.75} aria-hidden />
      <span>
        {pet.archivedBanner} {pet.archivedAt} <RelativeTime at={at} />.
      </span>
    </p>
  );
}
