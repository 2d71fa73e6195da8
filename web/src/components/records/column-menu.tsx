import { ActionIcon, Checkbox, Popover } from '@mantine/core';
import { IconTable } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { useIsPhone } from '../density.ts';
import styles from './column-menu.module.css';

interface Props<Name extends string> {
  /** The columns that can be hidden, in their order. */
  readonly columns: readonly Name[];
  readonly names: Readonly<Record<Name, string>>;
  readonly hidden: readonly Name[];
  readonly onChange: (hidden: readonly Name[]) => void;
}

/** Chooses the columns. They are in the address, so that a link and a saved view show the same. */
export function ColumnMenu<Name extends string>({ columns, names, hidden, onChange }: Props<Name>) {
  const { app } = useTexts();
  if (useIsPhone()) return null;
  const toggle = (column: Name) =>
    onChange(columns.filter((name) => (name === column) !== hidden.includes(name)));
  return (
    <Popover position="bottom-end" withinPortal={false} trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={app.columns} title={app.columns}>
          <IconTable size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={app.columns} className={styles.columns}>
        {columns.map((column) => (
          <Checkbox
            key={column}
            label={names[column]}
            checked={!hidden.includes(column)}
            onChange={() => toggle(column)}
          />
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}
