import { ScrollArea } from '@mantine/core';
import type { BatchRow, InventoryBatchResult } from '../../../api/schemas.ts';
import type { StockStore } from '../../../stock/stock-store.ts';
import { useErrorText, useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from './adjust-dialog.module.css';
import type { Adjustment } from './changes.ts';

interface Props {
  readonly petIds: readonly string[];
  readonly store: StockStore;
  /** What the service says; until then the page computes it. */
  readonly plan: InventoryBatchResult | undefined;
  readonly adjustment: Adjustment | undefined;
}

/** Each pet with its quantity before and after, and why it cannot be changed. */
export function ChangePreview({ petIds, store, plan, adjustment }: Props) {
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
  return (
    <ScrollArea.Autosize
      mah={280}
      type="auto"
      className={styles.preview}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': stock.preview }}
    >
      <table className={styles.table}>
        <thead>
          <tr>
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
          {petIds.map((petId, index) => {
            const row = store.find(petId);
            const planned = plan?.rows[index];
            const before = planned?.before?.quantity ?? row?.quantity ?? 0;
            const after = planned ? planned.after?.quantity : adjustment && afterOf(before, adjustment);
            const refusal = refusalOf(planned);
            return (
              <tr key={petId} data-refused={refusal !== undefined || undefined}>
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
        </tbody>
      </table>
    </ScrollArea.Autosize>
  );
}

function afterOf(before: number, { mode, value }: Adjustment): number | undefined {
  const after = mode === 'set' ? value : before + value;
  return after < 0 ? undefined : after;
}
