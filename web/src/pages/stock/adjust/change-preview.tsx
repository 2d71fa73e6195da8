import { ScrollArea } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { BatchRow } from '../../../api/schemas.ts';
import { type Column, Table } from '../../../components/records/table.tsx';
import type { StockStore } from '../../../stock/stock-store.ts';
import { useErrorText, useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from '../../../bulk/many-dialog.module.css';
import own from './adjust-dialog.module.css';
import { type Adjustment, afterOf, refusalOf } from './changes.ts';

const ROW_PX = 37;
const MAX_HEIGHT_PX = 280;
const OVERSCAN = 8;

interface Props {
  readonly petIds: readonly string[];
  readonly store: StockStore;
  readonly rowAt: ((index: number) => BatchRow | undefined) | undefined;
  readonly adjustment: Adjustment | undefined;
}

/** Each pet with its quantity before and after, and why it cannot be changed. */
export function ChangePreview({ petIds, store, rowAt, adjustment }: Props) {
  const { stock, shared } = useTexts();
  const format = useFormat();
  const errorText = useErrorText();
  const whyNot = (planned: BatchRow | undefined) =>
    refusalOf(planned, adjustment, { stock, format, errorText });
  const view = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count: petIds.length,
    getScrollElement: () => view.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    // The dialog opens with a transition, so it is measured late.
    initialRect: { width: 500, height: MAX_HEIGHT_PX },
  });
  const planOf = (petId: string, index: number) => {
    const row = store.find(petId);
    const planned = rowAt?.(index);
    const before = planned?.before?.quantity ?? row?.quantity ?? 0;
    const after = planned ? planned.after?.quantity : adjustment && afterOf(before, adjustment);
    return { name: row?.name ?? shared.unnamed(petId), before, after, refusal: whyNot(planned) };
  };
  const columns: readonly Column<string>[] = [
    {
      name: shared.fields.name,
      cell: (petId, index) => {
        const { name, refusal } = planOf(petId, index);
        return (
          <>
            {name}
            {refusal !== undefined && <span className={styles.why}>{refusal}</span>}
          </>
        );
      },
    },
    {
      name: stock.before,
      className: own.number,
      isNumber: true,
      cell: (petId, index) => format.quantity(planOf(petId, index).before),
    },
    {
      name: stock.after,
      className: own.number,
      isNumber: true,
      cell: (petId, index) => {
        const { after } = planOf(petId, index);
        return <b className={styles.after}>{after === undefined ? '–' : format.quantity(after)}</b>;
      },
    },
    {
      name: stock.change,
      className: own.number,
      isNumber: true,
      cell: (petId, index) => {
        const { before, after } = planOf(petId, index);
        return after === undefined ? '' : format.change(after - before);
      },
    },
  ];
  return (
    <ScrollArea.Autosize
      mah={MAX_HEIGHT_PX}
      type="auto"
      className={styles.preview}
      viewportRef={view}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': stock.preview }}
    >
      <Table
        className={`${styles.table} ${own.table}`}
        columns={columns}
        records={petIds}
        keyOf={(petId) => petId}
        stateOf={(_, index) => ({
          'data-refused': whyNot(rowAt?.(index)) === undefined ? undefined : true,
        })}
        virtualizer={virtualizer}
      />
    </ScrollArea.Autosize>
  );
}
