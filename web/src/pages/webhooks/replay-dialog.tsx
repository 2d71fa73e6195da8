import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../api/schemas.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { compareEvents, isEventId, sequenceOf } from './events.ts';
import { replayEvents, useRefresh } from './webhooks-api.ts';

interface Props {
  readonly endpoint: WebhookEndpoint;
  /** The event that the person chose in the log. */
  readonly after?: string;
  readonly onClose: () => void;
}

/** Delivers events again. It says what that does before it happens. */
export function ReplayDialog({ endpoint, after: chosen = '', onClose }: Props) {
  const { webhooks } = useTexts();
  const toast = useToast();
  const refresh = useRefresh();
  const [after, setAfter] = useState(chosen);
  const wanted = after.trim();
  const isValid = isEventId(wanted);
  const difference = isValid ? compareEvents(wanted, endpoint.lastEventId) : 0;
  const isSkip = difference > 0;
  const submit = async () => {
    await replayEvents(endpoint.id, wanted);
    await refresh();
    toast.show({ message: webhooks.replayed(wanted) });
  };
  return (
    <FormDialog
      title={webhooks.replayTitle}
      action={isSkip ? webhooks.skipAction : webhooks.replayAction}
      isDanger={isSkip}
      isReady={difference !== 0}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={webhooks.replayAfter}
        description={webhooks.replayAfterHint}
        error={wanted !== '' && !isValid && webhooks.replayWrong}
        value={after}
        onChange={(event) => setAfter(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      {difference !== 0 && <Effect endpoint={endpoint} after={wanted} isSkip={isSkip} />}
      <Text c="dimmed">
        {webhooks.deliveredTo} {endpoint.lastEventId}
      </Text>
    </FormDialog>
  );
}

function Effect({ endpoint, after, isSkip }: { endpoint: WebhookEndpoint; after: string; isSkip: boolean }) {
  const { webhooks } = useTexts();
  const format = useFormat();
  const movements = Math.max(sequenceOf(endpoint.lastEventId) - sequenceOf(after), 1);
  return (
    <>
      <Text c={isSkip ? 'var(--danger)' : undefined}>
        {isSkip ? webhooks.replaySkips : webhooks.replayAgain(format.count(movements))}
      </Text>
      {endpoint.pausedAt !== null && <Text>{webhooks.replayPaused}</Text>}
    </>
  );
}
