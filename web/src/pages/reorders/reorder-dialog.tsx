import type { BulkChange, Reorder } from '../../api/schemas.ts';
import { OrderDialog } from './order-dialog.tsx';
import { OrderManyDialog } from './order-many-dialog.tsx';
import { ReceiveDialog } from './receive-dialog.tsx';
import { SupplierDialog } from './supplier-dialog.tsx';

/** What a person does with pets of the list: orders them, receives what was ordered, or names their supplier. */
export interface Work {
  readonly kind: 'order' | 'receive' | 'supplier';
  readonly rows: readonly Reorder[];
}

interface Props {
  readonly work: Work;
  readonly unitsOf: (row: Reorder) => string;
  readonly onReload: () => Promise<unknown>;
  /** Called when pets are ordered or received, before `onClose`. */
  readonly onDone: (work: Work) => void;
  readonly onClose: () => void;
}

export function ReorderDialog({ work, unitsOf, onReload, onDone, onClose }: Props) {
  const { kind, rows } = work;
  const done = () => {
    onDone(work);
    onClose();
  };
  if (kind === 'supplier') return <SupplierDialog rows={rows} onClose={onClose} />;
  if (kind === 'receive')
    return <ReceiveDialog rows={rows} onReload={onReload} onDone={done} onClose={onClose} />;
  const [row] = rows;
  if (row && rows.length === 1)
    return <OrderDialog row={row} units={unitsOf(row)} onReload={onReload} onDone={done} onClose={onClose} />;
  // What was typed and chosen stays for the pets that a stopped change has left.
  const doneMany = ({ counts }: BulkChange) => (counts.planned === 0 ? done() : onClose());
  return <OrderManyDialog rows={rows} unitsOf={unitsOf} onDone={doneMany} onClose={onClose} />;
}
