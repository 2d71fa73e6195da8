import { Button } from '@mantine/core';
import { useState } from 'react';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { type Count, difference } from '../../counts/count.ts';
import { undo } from '../../counts/use-counts.ts';
import { useTexts } from '../../texts/texts-context.tsx';

/** Takes a count back that waits, or that changed the quantity. One that is being sent may be recorded, or not. */
export function UndoCount({ count }: { count: Count }) {
  const { app, count: texts } = useTexts();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const isRecorded = count.state === 'sent' && difference(count) !== 0 && count.now === undefined;
  if (count.state !== 'waiting' && !isRecorded) return null;
  const run = async () => {
    setBusy(true);
    try {
      await undo(count);
    } catch {
      toast.show({ message: texts.undoFailed(count.name), isError: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      size="compact-md"
      loading={isBusy}
      disabled={count.state === 'waiting' && count.isTried === true}
      aria-label={texts.undoOf(count.name)}
      onClick={() => void run()}
    >
      {app.actions.undo}
    </Button>
  );
}
