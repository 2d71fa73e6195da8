import { Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../api/schemas.ts';
import { useIsPhone } from '../../components/density.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { compareEvents, isEventId, placeBefore, recentEvents, sequenceOf, shownPlace } from './events.ts';
import { replayEvents, useDeliveries, useRefresh } from './webhooks-api.ts';

/** The choice of an event that is not in the list. */
const BY_ID = 'by-id';

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
  const choices = useChoices(endpoint);
  const [first, setFirst] = useState(chosen === '' ? null : BY_ID);
  const [after, setAfter] = useState(chosen);
  const isPhone = useIsPhone();
  const isById = first === BY_ID || choices.length === 0;
  const typed = isById ? after.trim() : '';
  const wanted = isById || first === null ? typed : placeBefore(first);
  const isValid = isEventId(wanted);
  const difference = isValid ? compareEvents(wanted, endpoint.lastEventId) : 0;
  const isSkip = difference > 0;
  const submit = async () => {
    await replayEvents(endpoint.id, wanted);
    await refresh();
    toast.show({
      message: isById || first === null ? webhooks.replayed(wanted) : webhooks.replayedFrom(first),
    });
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
      {choices.length > 0 && (
        <Select
          label={webhooks.replayFirst}
          description={webhooks.replayFirstHint}
          placeholder={webhooks.replayChoose}
          value={first}
          onChange={setFirst}
          data={[...choices, { value: BY_ID, label: webhooks.replayById }]}
          allowDeselect={false}
          data-autofocus
        />
      )}
      {isPhone && !isById && first !== null && (
        // The field has one line, which would cut it there.
        <Text size="sm">{choices.find(({ value }) => value === first)?.label}</Text>
      )}
      {isById && (
        <TextInput
          label={webhooks.replayAfter}
          description={webhooks.replayAfterHint}
          error={typed !== '' && !isValid && webhooks.replayWrong}
          value={after}
          onChange={(event) => setAfter(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      )}
      {difference !== 0 && <Effect endpoint={endpoint} after={wanted} isSkip={isSkip} />}
      <Text c="dimmed">
        {webhooks.deliveredTo} {shownPlace(endpoint.lastEventId)}
      </Text>
    </FormDialog>
  );
}

/** The events of the log as choices. */
function useChoices({ id, lastEventId }: WebhookEndpoint) {
  const { webhooks } = useTexts();
  const format = useFormat();
  const { data: log = [] } = useDeliveries(id);
  const names: Readonly<Record<string, string>> = webhooks.eventNames;
  return recentEvents(log, lastEventId).map(({ eventId, eventType, attemptedAt, isAccepted }) => ({
    value: eventId,
    label: webhooks.replayEvent(
      format.dateTime(new Date(attemptedAt)),
      // A later service may have types that this page does not know.
      names[eventType] ?? eventType,
      eventId,
      isAccepted,
    ),
  }));
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
