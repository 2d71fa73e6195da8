import { MAX_BULK_PETS } from '@petstore-inventory/shared/limits';
import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Import } from '../../../api/schemas.ts';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { RoleButton } from '../../../session/role-button.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { actOnChange, planChange, settledChange } from '../../stock/change/bulk-api.ts';
import { useNoteChange } from '../../stock/change/use-note-change.ts';
import { addedPetsOf } from '../imports-api.ts';

/** Archives the pets that an undone import had added, which stay without units. */
export function ArchiveAdded({ undone, undo }: { undone: Import; undo: Import }) {
  const { imports } = useTexts();
  const format = useFormat();
  const note = useNoteChange();
  const [isOpen, setOpen] = useState(false);
  const label = imports.undo.archive(format.count(undone.counts.new));
  const archive = async () => {
    const added = await addedPetsOf(undone, undo);
    for (let start = 0; start < added.length; start += MAX_BULK_PETS) {
      const petIds = added.slice(start, start + MAX_BULK_PETS);
      const { id } = await planChange({ petIds }, { archived: true });
      await settledChange(id, () => undefined);
      await actOnChange(id, 'apply');
      note(await settledChange(id, () => undefined));
    }
  };
  return (
    <>
      <RoleButton needs="staff" variant="default" onClick={() => setOpen(true)}>
        {label}
      </RoleButton>
      {isOpen && (
        <FormDialog title={label} action={label} onClose={() => setOpen(false)} onSubmit={archive}>
          <Text>{imports.undo.archiveHint}</Text>
        </FormDialog>
      )}
    </>
  );
}
