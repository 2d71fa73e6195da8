import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { midnight } from './movement-days.ts';
import styles from './movement-list.module.css';

interface Props {
  readonly day: Date;
  /** Midnight of today, in the person's zone. */
  readonly todayMs: number;
}

/** Such as "Yesterday", above the changes of a day. */
export function DayHeading({ day, todayMs }: Props) {
  const { movements } = useTexts();
  const isToday = day.getTime() >= todayMs;
  const isYesterday = !isToday && day.getTime() >= midnight(todayMs - 1);
  const name = useFormat().weekday(day);
  return <p className={styles.day}>{isToday ? movements.today : isYesterday ? movements.yesterday : name}</p>;
}
