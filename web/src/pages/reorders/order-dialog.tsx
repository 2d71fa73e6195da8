import { Autocomplete, Button, TextInput } from '@mantine/core';
import { MAX_SUPPLIER } from '@petstore-inventory/shared/limits';
import { atMost } from '../../components/at-most.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useSuppliers } from '../../components/reorder.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './reorders.module.css';
import { type OrderOptions, useOrder } from './use-order.ts';

/** Marks a pet as ordered, with a day and a supplier, or edits its order. */
export function OrderDialog(props: OrderOptions) {
  const { reorders } = useTexts();
  const suppliers = useSuppliers();
  const { name, isEdit, input, choice, day, fault, save, cancel } = useOrder(props);
  return (
    <FormDialog
      title={isEdit ? reorders.editPet(name) : reorders.markPet(name)}
      action={isEdit ? reorders.save : reorders.mark}
      onClose={props.onClose}
      onSubmit={save}
      staysOpen
    >
      <TextInput
        {...input('units')}
        label={reorders.units}
        description={isEdit ? reorders.unitsHint : undefined}
        error={fault.units}
        inputMode="numeric"
        className="number"
        data-autofocus
      />
      <TextInput
        {...input('expectedOn')}
        ref={day}
        type="date"
        label={reorders.expectedOn}
        error={fault.day}
      />
      <Autocomplete
        {...choice('supplier')}
        label={reorders.supplier}
        description={reorders.supplierHint}
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
          {props.row.received > 0 ? reorders.endOrder : reorders.cancelOrder}
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
