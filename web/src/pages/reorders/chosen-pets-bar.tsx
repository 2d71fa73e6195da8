import { Button, Checkbox } from '@mantine/core';
import type { Reorder } from '../../api/schemas.ts';
import { isToOrder } from '../../components/reorder.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import type { Work } from './reorder-dialog.tsx';
import styles from './reorders.module.css';

interface Props {
  readonly rows: readonly Reorder[];
  readonly chosen: readonly Reorder[];
  readonly onChooseAll: (isChosen: boolean) => void;
  /** Whether all are being chosen, of which some are not read yet. */
  readonly isChoosing: boolean;
  readonly onWork: (work: Work) => void;
}

/** Chooses all pets, and what can be done with those that are chosen. */
export function ChosenPetsBar({ rows, chosen, onChooseAll, isChoosing, onWork }: Props) {
  const { reorders } = useTexts();
  const format = useFormat();
  const [toOrder, toReceive] = [chosen.filter(isToOrder), chosen.filter((row) => !isToOrder(row))];
  return (
    <div className={styles.selection} data-chosen={chosen.length > 0 || undefined}>
      <Checkbox
        label={chosen.length === 0 ? reorders.selectAll : reorders.selected(format.count(chosen.length))}
        checked={isChoosing || chosen.length === rows.length}
        indeterminate={chosen.length > 0 && chosen.length < rows.length}
        onChange={({ currentTarget: { checked } }) => onChooseAll(checked)}
      />
      {toOrder.length > 0 && (
        <Button onClick={() => onWork({ kind: 'order', rows: toOrder })}>
          {reorders.markMany(format.count(toOrder.length))}
        </Button>
      )}
      {toReceive.length > 0 && (
        <Button
          variant={toOrder.length > 0 ? 'default' : 'filled'}
          onClick={() => onWork({ kind: 'receive', rows: toReceive })}
        >
          {reorders.receiveMany(format.count(toReceive.length))}
        </Button>
      )}
      {chosen.length > 0 && (
        <Button variant="default" onClick={() => onWork({ kind: 'supplier', rows: chosen })}>
          {reorders.setSupplier(format.count(chosen.length))}
        </Button>
      )}
    </div>
  );
}
