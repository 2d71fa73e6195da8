import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { KeyCaps } from '../../components/hotkeys/key-caps.tsx';
import { IconAdjustmentsHorizontal } from '../../icons/icons.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './stock-page.module.css';

interface Props {
  readonly count: number;
  /** Selected pets that the filters leave out. */
  readonly hidden: number;
  /** The units of the selected pets. */
  readonly units: number;
  readonly mayEdit: boolean;
  readonly onAdjust: () => void;
  readonly onChange: () => void;
  readonly onClear: () => void;
}

/** What can be done with the selected pets. */
export function SelectionBar({ count, hidden, units, mayEdit, onAdjust, onChange, onClear }: Props) {
  const { app, labels, stock } = useTexts();
  const format = useFormat();
  if (count === 0) return null;
  return (
    <section className={styles.bar} aria-label={stock.selected(format.quantity(count))}>
      <strong className="number">{stock.selected(format.quantity(count))}</strong>
      {hidden > 0 && <span className={styles.hidden}>{stock.notShown(format.quantity(hidden))}</span>}
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
      <Button size="sm" variant="default" component={Link} href="/labels">
        {labels.action}
      </Button>
      <Button
        size="sm"
        variant="default"
        disabled={!mayEdit}
        title={mayEdit ? undefined : app.states.needsRole(app.roles.staff)}
        onClick={onChange}
      >
        {stock.many.open}
      </Button>
      <Button size="sm" variant="default" onClick={onClear} rightSection={<KeyCaps keys="Escape" />}>
        {app.actions.clear}
      </Button>
    </section>
  );
}
