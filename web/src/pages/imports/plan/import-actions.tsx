import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Import } from '../../../api/schemas.ts';
import { useOfferedCommands } from '../../../components/commands.ts';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { RoleButton } from '../../../session/role-button.tsx';
import { useMay } from '../../../session/session-context.tsx';
import { useErrorText, useFormat, useTexts } from '../../../texts/texts-context.tsx';
import {
  actOn,
  applyGoodRows,
  deleteImport,
  type ImportAction,
  isOver,
  isUndoable,
  useNoteImport,
  useUndone,
} from '../imports-api.ts';

import { ArchiveAdded } from './archive-added.tsx';
import { UndoButton } from './undo-button.tsx';

/** The actions that the state of an import allows, the likely one last. */
const ACTIONS: Readonly<Record<Import['state'], readonly ImportAction[]>> = {
  receiving: ['cancel'],
  checking: ['cancel'],
  planned: ['cancel', 'plan', 'apply'],
  invalid: [],
  applying: [],
  applied: [],
  stale: ['cancel', 'plan'],
  cancelled: [],
  failed: ['plan'],
};

const APPLY = ['apply'] as const;

export function ImportActions({ found, name }: { found: Import; name: string }) {
  const { imports } = useTexts();
  const format = useFormat();
  const errorText = useErrorText();
  const toast = useToast();
  const note = useNoteImport();
  const [isDeleting, setDeleting] = useState(false);
  const mayChange = useMay('staff');
  const act = useMutation({
    mutationFn: (action: ImportAction) =>
      action === 'apply' && found.state === 'invalid' ? applyGoodRows(found.id) : actOn(found.id, action),
    // The toast may have the error of an earlier attempt.
    onMutate: toast.clear,
    onSuccess: note,
    onError: (error) => toast.show({ message: errorText(error), isError: true }),
  });
  const { state, counts, badRows } = found;
  const undone = useUndone(found);
  const changes = counts.new + counts.changed;
  const actions = state === 'invalid' && changes > 0 ? APPLY : ACTIONS[state];
  const isApplicable = actions.includes('apply') && changes > 0;
  const label = (action: ImportAction) =>
    action !== 'apply'
      ? imports.actions[action]
      : state === 'invalid'
        ? imports.applyGood(format.count(changes), format.count(badRows))
        : imports.apply(format.count(changes));
  useOfferedCommands(
    isApplicable && mayChange ? [{ label: label('apply'), run: () => act.mutate('apply') }] : [],
  );
  return (
    <>
      {isOver(state) && (
        <RoleButton needs="staff" variant="default" onClick={() => setDeleting(true)}>
          {imports.delete}
        </RoleButton>
      )}
      {isUndoable(found) && <UndoButton found={found} />}
      {state === 'applied' && undone && undone.counts.new > 0 && (
        <ArchiveAdded undone={undone} undo={found} />
      )}
      {actions.map((action) => (
        <RoleButton
          key={action}
          needs="staff"
          variant={action === actions.at(-1) && action !== 'cancel' ? 'filled' : 'default'}
          loading={act.isPending && act.variables === action}
          disabled={action === 'apply' && changes === 0}
          onClick={() => act.mutate(action)}
        >
          {label(action)}
        </RoleButton>
      ))}
      {isDeleting && <DeleteDialog found={found} name={name} onClose={() => setDeleting(false)} />}
    </>
  );
}

function DeleteDialog({ found, name, onClose }: { found: Import; name: string; onClose: () => void }) {
  const { imports, app } = useTexts();
  const toast = useToast();
  const [, navigate] = useLocation();
  const note = useNoteImport();
  const remove = async () => {
    await deleteImport(found.id);
    note(found);
    toast.show({ message: imports.deleted(name) });
    navigate('/imports');
  };
  return (
    <FormDialog
      title={imports.deleteTitle(name)}
      action={imports.delete}
      isDanger
      onClose={onClose}
      onSubmit={remove}
    >
      <Text>
        {found.state === 'applied'
          ? imports.deleteApplied
          : found.undoes === null
            ? imports.deleteHint
            : imports.undo.deleteHint}
      </Text>
      <Text c="dimmed">{app.confirm.irreversible}</Text>
    </FormDialog>
  );
}
