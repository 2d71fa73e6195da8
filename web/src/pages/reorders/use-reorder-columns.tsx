import { Button, Checkbox, TextInput } from '@mantine/core';
import type { ComponentType } from 'react';
import { Link } from 'wouter';
import type { Reorder } from '../../api/schemas.ts';
import { AlertBadge, Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/records/table.tsx';
import { isOverdue, isToOrder, useOrderedText } from '../../components/reorder.ts';
import { IconCheck, IconPencil, IconTruckDelivery, type IconProps } from '../../icons/icons.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { parseUnits } from './parse-units.ts';
import styles from './reorders.module.css';

interface Props {
  readonly mayOrder: boolean;
  readonly rows: readonly Reorder[];
  readonly unitsOf: (row: Reorder) => string;
  readonly onType: (petId: string, text: string) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (petId: string, isSelected: boolean) => void;
  readonly onOpen: (row: Reorder) => void;
  readonly onReceive: (row: Reorder) => void;
}

export function useReorderColumns(props: Props): readonly Column<Reorder>[] {
  const { mayOrder, rows, unitsOf, onType, selected, onSelect, onOpen, onReceive } = props;
  const { reorders } = useTexts();
  const { columns: texts } = reorders;
  const format = useFormat();
  const nameOf = useNameOf();
  const select: Column<Reorder> = {
    name: texts.select,
    isActions: true,
    className: styles.select,
    cell: (row) => (
      <label className={styles.box} htmlFor={`reorder-${row.petId}`}>
        <Checkbox
          id={`reorder-${row.petId}`}
          aria-label={reorders.selectPet(nameOf(row))}
          checked={selected.has(row.petId)}
          onChange={({ currentTarget: { checked } }) => onSelect(row.petId, checked)}
        />
      </label>
    ),
  };
  const actions: Column<Reorder> = {
    name: texts.actions,
    isActions: true,
    className: styles.actions,
    cell: (row) => <RowActions row={row} onOpen={onOpen} onReceive={onReceive} />,
  };
  const suggested: Column<Reorder> = {
    name: texts.suggested,
    isNumber: true,
    className: styles.suggested,
    cell: (row) =>
      mayOrder && isToOrder(row) ? (
        <UnitsField row={row} units={unitsOf(row)} onType={(text) => onType(row.petId, text)} />
      ) : (
        format.quantity(row.suggested)
      ),
  };
  const supplier: Column<Reorder> = {
    name: reorders.supplier,
    from: 'desktop',
    className: styles.supplier,
    cell: (row) => row.supplier !== null && <bdi>{row.supplier}</bdi>,
  };
  const ordered: Column<Reorder> = {
    name: texts.ordered,
    from: 'desktop',
    className: styles.ordered,
    cell: (row) => <OrderedUnits row={row} />,
  };
  const columns: readonly Column<Reorder>[] = [
    { name: texts.pet, isHeader: true, className: styles.pet, cell: (row) => <PetCell row={row} /> },
    {
      name: texts.alert,
      from: 'tablet',
      cell: ({ alertLevel }) => alertLevel !== null && <AlertBadge level={alertLevel} />,
    },
    { name: texts.available, isNumber: true, from: 'tablet', cell: (row) => format.quantity(row.available) },
    {
      name: texts.days,
      isNumber: true,
      from: 'tablet',
      className: styles.days,
      cell: ({ daysOfStock }) => (daysOfStock === null ? '–' : format.decimal(daysOfStock)),
    },
    // Without a value these columns would take the width of the names.
    ...(rows.length === 0 || rows.some(isToOrder) ? [suggested] : []),
    ...(rows.some((row) => row.supplier !== null) ? [supplier] : []),
    ...(rows.every(isToOrder) ? [] : [ordered]),
  ];
  return mayOrder ? [select, ...columns, actions] : columns;
}

function useNameOf(): (row: Reorder) => string {
  const { shared } = useTexts();
  return ({ petId, name }) => name ?? shared.unnamed(petId);
}

interface RowProps {
  readonly row: Reorder;
}

/** The name of the pet, with what narrow windows have no columns for. */
function PetCell({ row }: RowProps) {
  const { shared } = useTexts();
  const format = useFormat();
  const nameOf = useNameOf();
  return (
    <>
      <Link href={`/pets/${row.petId}`} className={`${styles.link} tap`} data-row>
        <bdi>{nameOf(row)}</bdi>
      </Link>
      <span className={styles.phone}>
        {row.alertLevel !== null && <AlertBadge level={row.alertLevel} />} {shared.fields.available}{' '}
        {format.quantity(row.available)}
      </span>
      <span className={styles.narrow}>
        <bdi>{row.supplier}</bdi> {row.supplier !== null && row.outstanding > 0 && '· '}
        <OrderedUnits row={row} />
      </span>
    </>
  );
}

/** What is on its way, until when, and how much of it has arrived. */
function OrderedUnits({ row }: RowProps) {
  const { reorders } = useTexts();
  const format = useFormat();
  const text = useOrderedText()(row);
  if (text === undefined) return null;
  return (
    <>
      {isOverdue(row.expectedOn) ? (
        <Badge shape="triangle" tone="danger">
          {text}
        </Badge>
      ) : (
        text
      )}
      {row.ordered !== null && row.received > 0 && (
        <span className={styles.detail}>
          {reorders.arrived(format.quantity(row.received), format.quantity(row.ordered))}
        </span>
      )}
    </>
  );
}

/** The units to order, which a person can change before the pet is marked as ordered. */
function UnitsField({
  row,
  units,
  onType,
}: RowProps & { readonly units: string; readonly onType: (text: string) => void }) {
  const { reorders } = useTexts();
  const format = useFormat();
  const nameOf = useNameOf();
  return (
    <TextInput
      aria-label={reorders.unitsOf(nameOf(row))}
      title={reorders.toEnough(format.quantity(row.suggested))}
      value={units}
      onChange={({ currentTarget: { value } }) => onType(value)}
      error={parseUnits(units) === undefined}
      inputMode="numeric"
      autoComplete="off"
      className="number"
    />
  );
}

function RowActions({ row, onOpen, onReceive }: RowProps & Pick<Props, 'onOpen' | 'onReceive'>) {
  const { reorders } = useTexts();
  const name = useNameOf()(row);
  if (isToOrder(row))
    return (
      <RowButton
        icon={IconTruckDelivery}
        text={reorders.mark}
        label={reorders.markPet(name)}
        onClick={() => onOpen(row)}
      />
    );
  return (
    <>
      <RowButton
        icon={IconCheck}
        text={reorders.receive}
        label={reorders.receivePet(name)}
        onClick={() => onReceive(row)}
      />
      <RowButton
        icon={IconPencil}
        text={reorders.edit}
        label={reorders.editPet(name)}
        onClick={() => onOpen(row)}
      />
    </>
  );
}

interface RowButtonProps {
  readonly icon: ComponentType<IconProps>;
  readonly text: string;
  /** The text, with the name of the pet. */
  readonly label: string;
  readonly onClick: () => void;
}

function RowButton({ icon: Icon, text, label, onClick }: RowButtonProps) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      className={`${styles.mark} tap`}
      leftSection={<Icon size={16} stroke={1.75} aria-hidden />}
      aria-label={label}
      onClick={onClick}
    >
      {text}
    </Button>
  );
}
