import { Button, Checkbox, TextInput } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { Link } from 'wouter';
import type { Reorder } from '../../api/schemas.ts';
import { serviceNow } from '../../api/service-clock.ts';
import { AlertBadge, Badge } from '../../components/badge.tsx';
import { calendarDay } from '../../components/day-start.ts';
import { OutputMenu } from '../../components/downloads/output-menu.tsx';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { RecordsState } from '../../components/records/records-state.tsx';
import { RecordsTable } from '../../components/records/records-table.tsx';
import type { Column } from '../../components/records/table.tsx';
import { isOverdue, useOrderedText } from '../../components/reorder.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import {
  IconCheck,
  IconCircleCheck,
  IconFilterOff,
  IconPencil,
  IconTruckDelivery,
  type IconProps,
} from '../../icons/icons.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useKeptState } from '../../stock/stock-provider.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { OrderDialog } from './order-dialog.tsx';
import { parseUnits } from './parse-units.ts';
import { PrintedOrders } from './printed-orders.tsx';
import { ReceiveDialog } from './receive-dialog.tsx';
import { ReorderFilters, useReorderAddress } from './reorder-filters.tsx';
import styles from './reorders.module.css';
import { SupplierDialog } from './supplier-dialog.tsx';
import { readFile, readRows, useReorders } from './reorders-api.ts';

const NONE: ReadonlySet<string> = new Set();

/** What is low, by urgency, and what is ordered of it. */
export default function ReordersPage() {
  const { app, reorders } = useTexts();
  const format = useFormat();
  const mayOrder = useMay('staff');
  const address = useReorderAddress();
  const { filters } = address;
  const { records, error, retry, more, reload } = useReorders(filters);
  const [typed, setTyped] = useKeptState<Readonly<Record<string, string>>>('reorders-typed', {});
  const [selected, setSelected] = useKeptState<ReadonlySet<string>>('reorders-selected', NONE);
  const [open, setOpen] = useState<readonly Reorder[]>();
  const [arriving, setArriving] = useState<readonly Reorder[]>();
  const [supplied, setSupplied] = useState<readonly Reorder[]>();
  const [printed, setPrinted] = useState<readonly Reorder[]>();

  const unitsOf = (row: Reorder) => typed[row.petId] ?? String(row.suggested);
  const rows = records ?? [];
  const chosen = rows.filter(({ petId }) => selected.has(petId));
  const [toMark, toReceive] = [chosen.filter(isToOrder), chosen.filter((row) => !isToOrder(row))];
  const toOrder = rows.reduce((sum, row) => sum + BigInt(row.ordered === null ? row.suggested : 0), 0n);
  const hasFilters = Object.keys(filters).length > 0;
  const unselect = (gone: readonly Reorder[]) =>
    setSelected((before) => {
      const next = new Set(before);
      for (const { petId } of gone) next.delete(petId);
      return next;
    });
  const done = () => {
    setOpen(undefined);
    setSelected(NONE);
    setTyped({});
  };
  const columns = useColumns({
    mayOrder,
    rows,
    unitsOf,
    onType: (petId, text) => setTyped((before) => ({ ...before, [petId]: text })),
    selected,
    onSelect: (petId, isSelected) =>
      setSelected((before) => {
        const next = new Set(before);
        if (isSelected) next.add(petId);
        else next.delete(petId);
        return next;
      }),
    onOpen: (row) => setOpen([row]),
    onReceive: (row) => setArriving([row]),
  });
  return (
    <>
      <PageHeader
        title={app.pages.reorders}
        facts={records && reorders.facts(format.count(rows.length), format.quantity(String(toOrder)))}
        actions={
          <OutputMenu<Reorder>
            file={`reorders-${calendarDay(serviceNow(), 0)}`}
            readFile={(fileFormat) => readFile(filters, fileFormat)}
            readRows={() => readRows(filters)}
            onPrint={setPrinted}
            isEmpty={records?.length === 0}
          />
        }
      />
      <PageBody>
        <ReorderFilters {...address} />
        {mayOrder && rows.length > 0 && (
          <div className={styles.selection}>
            <Checkbox
              label={
                chosen.length === 0 ? reorders.selectAll : reorders.selected(format.count(chosen.length))
              }
              checked={chosen.length === rows.length}
              indeterminate={chosen.length > 0 && chosen.length < rows.length}
              onChange={({ currentTarget: { checked } }) =>
                setSelected(new Set(checked ? rows.map(({ petId }) => petId) : []))
              }
            />
            {toMark.length > 0 && (
              <Button onClick={() => setOpen(toMark)}>
                {reorders.markMany(format.count(toMark.length))}
              </Button>
            )}
            {toReceive.length > 0 && (
              <Button
                variant={toMark.length > 0 ? 'default' : 'filled'}
                onClick={() => setArriving(toReceive)}
              >
                {reorders.receiveMany(format.count(toReceive.length))}
              </Button>
            )}
            {chosen.length > 0 && (
              <Button variant="default" onClick={() => setSupplied(chosen)}>
                {reorders.setSupplier(format.count(chosen.length))}
              </Button>
            )}
          </div>
        )}
        <div className={styles.table} data-printed={printed ? true : undefined}>
          <RecordsState
            isLoading={records === undefined}
            error={error}
            onRetry={retry}
            empty={
              rows.length === 0 &&
              (hasFilters ? (
                <EmptyState
                  icon={IconFilterOff}
                  title={reorders.noMatch}
                  actions={
                    <Button variant="default" onClick={address.clear}>
                      {reorders.clearFilters}
                    </Button>
                  }
                />
              ) : (
                <EmptyState icon={IconCircleCheck} title={reorders.empty}>
                  {reorders.emptyHint}
                </EmptyState>
              ))
            }
          >
            <RecordsTable
              label={reorders.table}
              columns={columns}
              records={rows}
              keyOf={({ petId }) => petId}
              onMore={more}
            />
          </RecordsState>
        </div>
        {printed && <PrintedOrders rows={printed} unitsOf={unitsOf} onDone={() => setPrinted(undefined)} />}
      </PageBody>
      {supplied && (
        <SupplierDialog rows={supplied} onReload={reload} onClose={() => setSupplied(undefined)} />
      )}
      {arriving && (
        <ReceiveDialog
          rows={arriving}
          onReload={reload}
          onDone={() => {
            setArriving(undefined);
            unselect(arriving);
          }}
          onClose={() => setArriving(undefined)}
        />
      )}
      {open && (
        <OrderDialog
          rows={open}
          unitsOf={unitsOf}
          onReload={reload}
          onDone={done}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

const isToOrder = ({ ordered }: Reorder): boolean => ordered === null;

interface ColumnProps {
  readonly mayOrder: boolean;
  readonly rows: readonly Reorder[];
  readonly unitsOf: (row: Reorder) => string;
  readonly onType: (petId: string, text: string) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (petId: string, isSelected: boolean) => void;
  readonly onOpen: (row: Reorder) => void;
  readonly onReceive: (row: Reorder) => void;
}

function useColumns(props: ColumnProps): readonly Column<Reorder>[] {
  const { mayOrder, rows, unitsOf, onType, selected, onSelect, onOpen, onReceive } = props;
  const { reorders, shared } = useTexts();
  const format = useFormat();
  const orderedText = useOrderedText();
  const { columns: texts } = reorders;
  const nameOf = (row: Reorder) => row.name ?? shared.unnamed(row.petId);
  const ordered = (row: Reorder) => {
    const text = orderedText(row);
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
  };
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
    cell: (row) =>
      row.ordered === null ? (
        <RowButton
          icon={IconTruckDelivery}
          text={reorders.mark}
          label={reorders.markPet(nameOf(row))}
          onClick={() => onOpen(row)}
        />
      ) : (
        <>
          <RowButton
            icon={IconCheck}
            text={reorders.receive}
            label={reorders.receivePet(nameOf(row))}
            onClick={() => onReceive(row)}
          />
          <RowButton
            icon={IconPencil}
            text={reorders.edit}
            label={reorders.editPet(nameOf(row))}
            onClick={() => onOpen(row)}
          />
        </>
      ),
  };
  // Without a value these columns would take the width of the names.
  const suggested: Column<Reorder> = {
    name: texts.suggested,
    isNumber: true,
    className: styles.suggested,
    cell: (row) =>
      mayOrder && isToOrder(row) ? (
        <TextInput
          aria-label={reorders.unitsOf(nameOf(row))}
          title={reorders.toEnough(format.quantity(row.suggested))}
          value={unitsOf(row)}
          onChange={({ currentTarget: { value } }) => onType(row.petId, value)}
          error={parseUnits(unitsOf(row)) === undefined}
          inputMode="numeric"
          autoComplete="off"
          className="number"
        />
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
  const onOrder: Column<Reorder> = {
    name: texts.ordered,
    from: 'desktop',
    className: styles.ordered,
    cell: ordered,
  };
  const columns: readonly Column<Reorder>[] = [
    {
      name: texts.pet,
      isHeader: true,
      className: styles.pet,
      cell: (row) => (
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
            {ordered(row)}
          </span>
        </>
      ),
    },
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
    ...(rows.length === 0 || rows.some(isToOrder) ? [suggested] : []),
    ...(rows.some((row) => row.supplier !== null) ? [supplier] : []),
    ...(rows.some((row) => row.ordered !== null) ? [onOrder] : []),
  ];
  return mayOrder ? [select, ...columns, actions] : columns;
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
