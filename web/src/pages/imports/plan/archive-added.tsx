import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkChange, Import } from '../../../api/schemas.ts';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { RoleButton } from '../../../session/role-button.tsx';
import { useStock, useStockList } from '../../../stock/stock-provider.tsx';
import { isArchivable } from '../../../stock/stock-row.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { changeInParts } from '../../../bulk/bulk-api.ts';
import { useNoteChange } from '../../../bulk/use-note-change.ts';
import { addedPetsOf } from '../imports-api.ts';

interface Props {
  readonly undone: Import;
  readonly undo: Import;
}

/** Archives the pets that an undone import had added, which stay without units. */
export function ArchiveAdded(props: Props) {
  const { undo } = useTexts().imports;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <RoleButton needs="staff" variant="default" onClick={() => setOpen(true)}>
        {undo.archive}
      </RoleButton>
      {isOpen && <ArchiveDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function ArchiveDialog({ undone, undo, onClose }: Props & { readonly onClose: () => void }) {
  const { app, imports } = useTexts();
  const format = useFormat();
  const note = useNoteChange();
  const { store, reload } = useStock();
  const { snapshot } = useStockList('added-pets');
  const added = useQuery({
    queryKey: ['imports', 'added', undone.id, undo.id, undo.updatedAt],
    queryFn: ({ signal }) => addedPetsOf(undone, undo, signal),
  });
  const error = added.error ?? snapshot.error;
  // Some were deleted, archived or received units since the undo.
  const petIds = snapshot.isComplete
    ? added.data?.filter((petId) => isArchivable(store.find(petId)))
    : undefined;
  const archive = async () => {
    const done: BulkChange[] = [];
    try {
      await changeInParts(petIds ?? [], { archived: true }, (change) => void done.push(change));
    } finally {
      note(done);
    }
  };
  return (
    <FormDialog
      title={imports.undo.archive}
      action={petIds?.length ? imports.undo.archivePets(format.count(petIds.length)) : imports.undo.archive}
      isReady={petIds !== undefined && petIds.length > 0}
      onClose={onClose}
      onSubmit={archive}
    >
      {error ? (
        <ErrorState
          error={error}
          onRetry={() => {
            if (snapshot.error !== undefined) reload();
            if (added.error) void added.refetch();
          }}
        />
      ) : (
        <Text role="status">
          {petIds === undefined
            ? app.states.loading
            : petIds.length === 0
              ? imports.undo.archiveNone
              : imports.undo.archiveHint}
        </Text>
      )}
    </FormDialog>
  );
}
