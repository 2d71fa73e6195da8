import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './records-table.module.css';

/** Says below a printed list that it has only the first rows. Nothing on the screen. */
export function MoreOnPaper({ count }: { count: number }) {
  const { records } = useTexts().app;
  return <p className={styles.onPaper}>{records.onPaper(useFormat().count(count))}</p>;
}
