import { Autocomplete, Checkbox } from '@mantine/core';
import { MAX_SUPPLIER } from '@petstore-inventory/shared/limits';
import { useState } from 'react';
import type { Reorder } from '../../api/schemas.ts';
import { atMost } from '../../components/at-most.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useSuppliers } from '../../components/reorder.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { ChangedPets } from './changed-pets.tsx';
import { undoReorders, useReorderChange } from './use-reorder-change.ts';

interface Props {
  readonly rows: readonly Reorder[];
  readonly onReload: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Sets who supplies pets, so that the list can be filtered and printed per supplier before anything is ordered. */
export function SupplierDialog({ rows, onReload, onClose }: Props) {
  const { reorders, app } = useTexts();
  const format = useFormat();
  const { show } = useToast();
  const suppliers = useSuppliers();
  const { changeAll, made } = useReorderChange();
  const [pets, setPets] = useState(0);
  const [typed, setTyped] = useState('');
  const hasSupplier = rows.some(({ supplier }) => supplier !== null);
  const [removes, setRemoves] = useState(false);
  const save = async () => {
    const supplier = removes ? null : typed.trim();
    try {
      const changes = { supplier };
      await changeAll(
        rows,
        () => changes,
        () => setPets(made.size),
      );
    } finally {
      await onReload();
    }
    finish();
  };
  const finish = () => {
    onClose();
    show({
      message: (removes ? reorders.supplierRemoved : reorders.supplierSet)(format.count(made.size)),
      undo: () => undoReorders(made.values(), onReload, ({ supplier }) => ({ supplier })),
    });
  };
  /** Pets whose supplier was set before the refusal of another one can be undone too. */
  const close = () => (made.size > 0 ? finish() : onClose());
  return (
    <FormDialog
      title={reorders.setSupplier(format.count(rows.length))}
      action={removes ? reorders.removeSupplier : app.actions.save}
      // An empty field removes nothing: that is a choice of its own.
      isReady={removes || typed.trim() !== ''}
      onClose={close}
      onSubmit={save}
      staysOpen
    >
      <Autocomplete
        value={typed}
        onChange={setTyped}
        label={reorders.supplier}
        disabled={removes}
        data={[...suppliers]}
        limit={20}
        {...atMost(MAX_SUPPLIER)}
        openOnFocus={false}
        data-autofocus
      />
      {hasSupplier && (
        <Checkbox
          label={reorders.removeSupplierOf(format.count(rows.length))}
          checked={removes}
          onChange={({ currentTarget: { checked } }) => setRemoves(checked)}
        />
      )}
      <ChangedPets done={pets} all={rows.length} />
    </FormDialog>
  );
}
