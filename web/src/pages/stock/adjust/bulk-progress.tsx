import { Progress } from '@mantine/core';
import { MAX_BATCH_ROWS } from '@petstore-inventory/shared/limits';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from './adjust-dialog.module.css';

interface Props {
  readonly total: number;
  readonly planned: number;
  readonly applied: number;
  readonly isApplying: boolean;
}

/** How far the previews, or the change, of more than one batch are. */
export function BulkProgress({ total, planned, applied, isApplying }: Props) {
  const { stock } = useTexts();
  const format = useFormat();
  if (total <= MAX_BATCH_ROWS) return null;
  const done = isApplying ? applied : planned;
  const shown = [format.quantity(done), format.quantity(total)] as const;
  const text = isApplying ? stock.appliedOf(...shown) : stock.checkedOf(...shown);
  return (
    <div>
      <p className={`${styles.progress} number`} role="status">
        {text}
      </p>
      <Progress value={(done / total) * 100} size={4} aria-label={text} />
    </div>
  );
}
