import { ScrollArea } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { BatchRow } from '../../../api/schemas.ts';
import type { StockStore } from '../../../stock/stock-store.ts';
import { useErrorText, useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from './adjust-dialog.module.css';
import type { Adjustment } from './changes.ts';

const ROW_PX = 37;
const MAX_HEIGHT_PX = 280;
const OVERSCAN = 8;

interface Props {
  readonly petIds: readonly string[];
  readonly store: StockStore;
  /** What the service says of a pet; until then the page computes it. */
  readonly rowAt: ((index: number) => BatchRow | undefined) | undefined;
  readonly adjustment: Adjustment | undefined;
}

/** Each pet with its quantity before and after, and why it cannot be changed. */
export function ChangePreview({ petIds, store, rowAt, adjustment }: Props) {
  const { stock, shared } = useTexts();
  const format = useFormat();
  const errorText = useErrorText();
  const refusalOf = (planned: BatchRow | undefined) => {
    if (!planned || planned.code === 'done') return undefined;
    const { code, before } = planned;
    if (code === 'insufficient_stock' && before) return stock.tooFew(format.quantity(before.quantity));
    if (code === 'stock_reserved' && before) return stock.promised(format.quantity(before.reserved));
    return errorText(planned);
  };
  const view = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: petIds.length,
    getScrollElement: () => view.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    // The dialog opens with a transition, so it is measured late.
    initialRect: { width: 500, height: MAX_HEIGHT_PX },
  });
  const items = virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <ScrollArea.Autosize
      mah={MAX_HEIGHT_PX}
      type="auto"
      className={styles.preview}
      viewportRef={view}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': stock.preview }}
    >
      <table className={styles.table} aria-rowcount={petIds.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{shared.fields.name}</th>
            <th scope="col" className={styles.number}>
              {stock.before}
            </th>
            <th scope="col" className={styles.number}>
              {stock.after}
            </th>
            <th scope="col" className={styles.number}>
              {stock.change}
            </th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden style={{ height: above }} />}
          {items.map(({ index }) => {
            const petId = petIds[index] as string;
            const row = store.find(petId);
            const planned = rowAt?.(index);
            const before = planned?.before?.quantity ?? row?.quantity ?? 0;
            const after = planned ? planned.after?.quantity : adjustment && afterOf(before, adjustment);
            const refusal = refusalOf(planned);
            return (
              <tr
                key={petId}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                data-refused={refusal !== undefined || undefined}
              >
                <td>
                  {row?.name ?? shared.unnamed(petId)}
                  {refusal !== undefined && <span className={styles.why}>{refusal}</span>}
                </td>
                <td className={`${styles.number} number`}>{format.quantity(before)}</td>
                <td className={`${styles.number} ${styles.after} number`}>
                  {after === undefined ? '–' : format.quantity(after)}
                </td>
                <td className={`${styles.number} number`}>
                  {after === undefined ? '' : format.change(after - before)}
                </td>
              </tr>
            );
          })}
          {below > 0 && <tr aria-hidden style={{ height: below }} />}
        </tbody>
      </table>
    </ScrollArea.Autosize>
  );
}

function afterOf(before: number, { mode, value }: Adjustment): number | undefined {
  const after = mode === 'set' ? value : before + value;
  return after < 0 ? undefined : after;
}
