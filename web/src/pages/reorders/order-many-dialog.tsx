import { Autocomplete, TextInput } from '@mantine/core';
import { MAX_SUPPLIER } from '@petstore-inventory/shared/limits';
import { useRef, useState } from 'react';
import type { BulkChange, Reorder } from '../../api/schemas.ts';
import { atMost } from '../../components/at-most.ts';
import { useForm } from '../../components/dialogs/use-form.ts';
import { useSuppliers } from '../../components/reorder.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { ManyDialog } from './many-dialog.tsx';
import { parseUnits } from './parse-units.ts';
import styles from './reorders.module.css';

interface Props {
  /** None of them is ordered. */
  readonly rows: readonly Reorder[];
  /** As the table has them. */
  readonly unitsOf: (row: Reorder) => string;
  readonly onDone: (change: BulkChange) => void;
  readonly onClose: () => void;
}

/** Marks pets as ordered, each with the units that the table has, and all with one day and one supplier. */
export function OrderManyDialog({ rows, unitsOf, onDone, onClose }: Props) {
  const { reorders, shared } = useTexts();
  const format = useFormat();
  const suppliers = useSuppliers();
  const [first] = rows;
  const common = rows.every(({ supplier }) => supplier === first?.supplier) ? (first?.supplier ?? '') : '';
  const { values, input, choice } = useForm({ expectedOn: '', supplier: common });
  const [isDayWrong, setDayWrong] = useState(false);
  const day = useRef<HTMLInputElement>(null);
  const units = rows.flatMap((row) => parseUnits(unitsOf(row)) ?? []);
  const wrong = rows.find((row) => parseUnits(unitsOf(row)) === undefined);
  const sum = format.quantity(String(units.reduce((all, each) => all + BigInt(each), 0n)));
  const supplier = values.supplier.trim();
  return (
    <ManyDialog
      title={reorders.markMany(format.count(rows.length))}
      action={reorders.mark}
      rows={rows}
      units={units}
      values={
        wrong
          ? undefined
          : {
              ordered: 'units',
              ...(values.expectedOn !== '' && { expectedOn: values.expectedOn }),
              // An empty field leaves each pet its supplier.
              ...(supplier !== common && { supplier: supplier === '' ? null : supplier }),
            }
      }
      mayPlan={() => {
        // A date field without a value may have a part of one.
        const isWrong = day.current?.validity.badInput === true;
        setDayWrong(isWrong);
        return !isWrong;
      }}
      doneText={(changed) =>
        changed === rows.length
          ? reorders.marked(format.count(changed), sum)
          : reorders.markedPets(format.count(changed))
      }
      onDone={onDone}
      onClose={onClose}
    >
      <p className={styles.sum}>
        {wrong
          ? reorders.invalidOf(wrong.name ?? shared.unnamed(wrong.petId))
          : reorders.manyUnits(format.count(rows.length), sum)}
      </p>
      <TextInput
        {...input('expectedOn')}
        ref={day}
        type="date"
        label={reorders.expectedOn}
        error={isDayWrong && reorders.invalidDay}
        data-autofocus
      />
      <Autocomplete
        {...choice('supplier')}
        label={reorders.supplier}
        description={reorders.supplierHint}
        placeholder={reorders.asItIs}
        data={[...suppliers]}
        limit={20}
        {...atMost(MAX_SUPPLIER)}
      />
    </ManyDialog>
  );
}
