import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { readAgain } from '../../../live/read-again.ts';
import { useErrorText, useTexts } from '../../../texts/texts-context.tsx';
import { useUndoChange } from '../../../bulk/use-note-change.ts';
import { LOG_KEY, UNDOABLE_KEY } from './log-api.ts';

/** Undoes a change of many pets, for as long as the service keeps it. */
export function UndoChange({ id }: { id: string }) {
  const { app } = useTexts();
  const errorText = useErrorText();
  const toast = useToast();
  const queries = useQueryClient();
  const undo = useUndoChange();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      if (await undo(id)) toast.show({ message: app.undone });
    } catch (error) {
      toast.show({ message: app.undoFailed(errorText(error)), isError: true });
    }
    await Promise.all([readAgain(queries, UNDOABLE_KEY), readAgain(queries, LOG_KEY)]);
    setBusy(false);
  };
  return (
    <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => void run()}>
      {app.actions.undo}
    </Button>
  );
}
