import { Button } from '@mantine/core';
import { KeyCaps } from '../../../components/hotkeys/key-caps.tsx';
import { IconAdjustmentsHorizontal } from '../../../icons/icons.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from './selection-bar.module.css';

interface Props {
  readonly count: number;
  /** The units of the selected pets. */
  readonly units: number;
  readonly mayEdit: boolean;
  readonly onAdjust: () => void;
  readonly onClear: () => void;
}

/** What can be done with the selected rows. */
export function SelectionBar({ count, units, mayEdit, onAdjust, onClear }: Props) {
  const { app, stock } = useTexts();
  const format = useFormat();
  if (count === 0) return null;
  return (
    <section className={styles.bar} aria-label={stock.selected(format.quantity(count))}>
      <strong className="number">{stock.selected(format.quantity(count))}</strong>
      <span className={`${styles.units} number`}>{stock.units(format.quantity(units))}</span>
      <Button
        size="sm"
        disabled={!mayEdit}
        title={mayEdit ? undefined : app.states.needsRole(app.roles.staff)}
        leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.75} />}
        rightSection={<KeyCaps keys="e" />}
        onClick={onAdjust}
      >
        {stock.adjust}
      </Button>
      <Button size="sm" variant="default" onClick={onClear} rightSection={<KeyCaps keys="Escape" />}>
        {app.actions.clear}
      </Button>
    </section>
  );
}
