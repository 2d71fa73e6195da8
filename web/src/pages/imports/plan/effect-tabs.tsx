import type { ImportCounts } from '../../../api/schemas.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from './effect-tabs.module.css';

export type Shown = 'all' | 'new' | 'changed' | 'unchanged' | 'problems';

interface Props {
  readonly counts: ImportCounts;
  readonly problems: number;
  readonly shown: Shown;
  readonly onShow: (shown: Shown) => void;
}

/** Filters the rows of a plan by their effect, with how many there are. */
export function EffectTabs({ counts, problems, shown, onShow }: Props) {
  const { imports } = useTexts();
  const format = useFormat();
  const tabs: readonly (readonly [Shown, string, number])[] = [
    ['all', imports.all, counts.new + counts.changed + counts.unchanged],
    ['new', imports.effects.new, counts.new],
    ['changed', imports.effects.changed, counts.changed],
    ['unchanged', imports.effects.unchanged, counts.unchanged],
    ...(problems > 0 ? ([['problems', imports.problems, problems]] as const) : []),
  ];
  return (
    <fieldset className={styles.tabs}>
      <legend className="visually-hidden">{imports.filter}</legend>
      {tabs.map(([name, label, count]) => (
        <button
          key={name}
          type="button"
          className={styles.tab}
          aria-pressed={shown === name}
          onClick={() => onShow(name)}
        >
          {label}
          <span className={`${styles.count} number`}>{format.quantity(count)}</span>
        </button>
      ))}
    </fieldset>
  );
}
