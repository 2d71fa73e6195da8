import { Autocomplete, Checkbox } from '@mantine/core';
import { MAX_SUPPLIER } from '@petstore-inventory/shared/limits';
import { useState } from 'react';
import type { BulkValues, Reorder } from '../../api/schemas.ts';
import { atMost } from '../../components/at-most.ts';
import { useSuppliers } from '../../components/reorder.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { ManyDialog } from './many-dialog.tsx';

interface Props {
  readonly rows: readonly Reorder[];
  readonly onClose: () => void;
}

/** Sets who supplies pets, so that the list can be filtered and printed per supplier before anything is ordered. */
export function SupplierDialog({ rows, onClose }: Props) {
  const { reorders, app } = useTexts();
  const format = useFormat();
  const suppliers = useSuppliers();
  const [typed, setTyped] = useState('');
  const hasSupplier = rows.some(({ supplier }) => supplier !== null);
  const [removes, setRemoves] = useState(false);
  // An empty field removes nothing: that is a choice of its own.
  const named: BulkValues | undefined = typed.trim() === '' ? undefined : { supplier: typed.trim() };
  return (
    <ManyDialog
      title={reorders.setSupplier(format.count(rows.length))}
      action={removes ? reorders.removeSupplier : app.actions.save}
      rows={rows}
      values={removes ? { supplier: null } : named}
      doneText={(changed) =>
        (removes ? reorders.supplierRemoved : reorders.supplierSet)(format.count(changed))
      }
      onDone={onClose}
      onClose={onClose}
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
    </ManyDialog>
  );
}
