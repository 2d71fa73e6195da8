import { changedDetails, type DetailName, detailNames, type PetDetails } from '../../counts/details.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './count-problem.module.css';

/** The text of a detail of a pet. */
export function useDetailText(): (name: DetailName, details: Partial<PetDetails>) => string {
  const { shared, count } = useTexts();
  const format = useFormat();
  return (name, details) => {
    const value = details[name] ?? null;
    if (name === 'status') return shared.status[details.status ?? 'available'];
    if (typeof value === 'number') return format.quantity(value);
    if (value === null || value.length === 0) return count.noValue;
    return typeof value === 'string' ? value : value.join(', ');
  };
}

interface Props {
  readonly before: Partial<PetDetails>;
  readonly after: Partial<PetDetails>;
}

/** Each detail that an edit changes, before and after. */
export function DetailChanges({ before, after }: Props) {
  const { shared, count } = useTexts();
  const text = useDetailText();
  return (
    <ul className={styles.details}>
      {changedDetails(detailNames(after), before, after).map((name) => (
        <li key={name}>
          {shared.fields[name]}: {count.was(text(name, before), text(name, after))}
        </li>
      ))}
    </ul>
  );
}
