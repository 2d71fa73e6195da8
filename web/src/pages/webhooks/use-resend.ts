import { useRef, useState } from 'react';
import type { WebhookAttempt, WebhookEndpoint } from '../../api/schemas.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import { compareEvents, isEventId } from './events.ts';
import { replayEvents, resendEvent, useRefresh } from './webhooks-api.ts';

/** What became of an event after an attempt to send it failed; `undefined` of one that did not fail, and of a test. */
export type Since = 'delivered' | 'waiting' | 'failed' | undefined;

/** @param attempts The whole log: a later attempt of the same event may have succeeded. */
export function sinceThen(
  { number, eventId, error }: WebhookAttempt,
  attempts: readonly WebhookAttempt[],
  { lastEventId, pausedAt }: WebhookEndpoint,
): Since {
  if (error === null || !isEventId(eventId)) return undefined;
  const isDelivered = attempts.some(
    (later) => later.number > number && later.eventId === eventId && later.error === null,
  );
  if (isDelivered) return 'delivered';
  // The queue of an active endpoint goes on with it.
  return pausedAt === null && compareEvents(eventId, lastEventId) > 0 ? 'waiting' : 'failed';
}

/** Sends events of an endpoint again, one after the other, each once however often it is clicked. */
export function useResend(endpoint: WebhookEndpoint) {
  const { webhooks } = useTexts();
  const format = useFormat();
  const errorText = useErrorText();
  const toast = useToast();
  const refresh = useRefresh();
  const [sending, setSending] = useState<ReadonlySet<string>>(new Set());
  // State of the next render comes too late for the second click of a double click.
  const running = useRef(new Set<string>());

  const send = async (attempts: readonly WebhookAttempt[], log: readonly WebhookAttempt[]) => {
    const isWaiting = (attempt: WebhookAttempt) => sinceThen(attempt, log, endpoint) === 'waiting';
    const wanted = new Map(attempts.map((attempt) => [attempt.eventId, attempt]));
    const events = [...wanted.keys()].filter((id) => !running.current.has(id)).toSorted(compareEvents);
    if (events.length === 0) return;
    for (const id of events) running.current.add(id);
    setSending(new Set(running.current));
    try {
      let failures = 0;
      const waiting = events.filter((id) => isWaiting(wanted.get(id) as WebhookAttempt));
      const again = events.filter((id) => !waiting.includes(id));
      for (const id of again) {
        const { error } = await resendEvent(endpoint.id, id);
        if (error !== null) failures += 1;
      }
      // The queue sends them in their order, from the first one on.
      if (waiting.length > 0) await replayEvents(endpoint.id, endpoint.lastEventId);
      await refresh();
      const message =
        again.length === 0
          ? webhooks.attemptedNow
          : failures === 0
            ? webhooks.sentAgain(format.count(again.length))
            : webhooks.sentInVain(format.quantity(failures), format.count(again.length));
      toast.show({ message, isError: failures > 0 });
    } catch (error) {
      await refresh();
      toast.show({ message: errorText(error), isError: true });
    } finally {
      for (const id of events) running.current.delete(id);
      setSending(new Set(running.current));
    }
  };
  return { sending, send };
}
