import { Autocomplete, Button, TextInput } from '@mantine/core';
import { MAX_SUPPLIER } from '@petstore-inventory/shared/limits';
import { atMost } from '../../components/at-most.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useSuppliers } from '../../components/reorder.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { ChangedPets } from './changed-pets.tsx';
import styles from './reorders.module.css';
import { type OrderOptions, useOrder } from './use-order.ts';

/** Marks pets as ordered, with one day and one supplier, or edits the order of one. */
export function OrderDialog(props: OrderOptions) {
  const { rows } = props;
  const { reorders } = useTexts();
  const format = useFormat();
  const suppliers = useSuppliers();
  const order = useOrder(props);
  const { row, isOne, isEdit, input, choice, day, nameOf, wrong, sum, fault, pets, save, close, cancel } =
    order;
  return (
    <FormDialog
      title={
        isEdit
          ? reorders.editPet(nameOf(row))
          : isOne
            ? reorders.markPet(nameOf(row))
            : reorders.markMany(format.count(rows.length))
      }
      action={isEdit ? reorders.save : reorders.mark}
      onClose={close}
      onSubmit={save}
      staysOpen
    >
      {isOne ? (
        <TextInput
          {...input('units')}
          label={reorders.units}
          description={isEdit ? reorders.unitsHint : undefined}
          error={fault.units}
          inputMode="numeric"
          className="number"
          data-autofocus
        />
      ) : (
        <p className={styles.sum}>
          {wrong
            ? reorders.invalidOf(nameOf(wrong))
            : reorders.manyUnits(format.count(rows.length), format.quantity(String(sum)))}
        </p>
      )}
      <ChangedPets done={pets} all={rows.length} />
      <TextInput
        {...input('expectedOn')}
        ref={day}
        type="date"
        label={reorders.expectedOn}
        error={fault.day}
        {...(!isOne && { 'data-autofocus': true })}
      />
      <Autocomplete
        {...choice('supplier')}
        label={reorders.supplier}
        description={reorders.supplierHint}
        placeholder={isOne ? '' : reorders.asItIs}
        data={[...suppliers]}
        limit={20}
        {...atMost(MAX_SUPPLIER)}
      />
      {isEdit && (
        <Button
          variant="subtle"
          color="red.8"
          className={styles.cancel}
          loading={cancel.isBusy}
          onClick={() => void cancel.submit()}
        >
          {reorders.cancelOrder}
        </Button>
      )}
      {cancel.problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {cancel.problem}
        </p>
      )}
    </FormDialog>
  );
}
