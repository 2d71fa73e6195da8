import { Button } from '@mantine/core';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../api/schemas.ts';
import { RecordsState } from '../../components/records/records-state.tsx';
import { RouteDrawer } from '../../components/route-drawer.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { IconHistory } from '../../icons/icons.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { AttemptDetails } from './attempt-details.tsx';
import { EventAttempts } from './event-attempts.tsx';
import { isEventId } from './events.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { ResendButton } from './resend-button.tsx';
import { sinceThen, useResend } from './use-resend.ts';
import { useDeliveries } from './webhooks-api.ts';

interface Props {
  readonly endpoint: WebhookEndpoint;
  /** The number of the attempt, as in the address. */
  readonly attempt: string | undefined;
}

export function AttemptDrawer({ endpoint, attempt }: Props) {
  const { webhooks } = useTexts();
  return (
    <RouteDrawer
      title={webhooks.attemptTitle}
      name={webhooks.attemptTitle}
      isOpen={attempt !== undefined}
      closeTo={`/webhooks/${endpoint.id}`}
    >
      {attempt !== undefined && <FoundAttempt endpoint={endpoint} attempt={attempt} />}
    </RouteDrawer>
  );
}

function FoundAttempt({ endpoint, attempt: number }: { endpoint: WebhookEndpoint; attempt: string }) {
  const { webhooks } = useTexts();
  const isAdministrator = useMay('administrator');
  const [isReplaying, setReplaying] = useState(false);
  const { data: attempts, error, refetch } = useDeliveries(endpoint.id);
  const { sending, send } = useResend(endpoint);
  const attempt = attempts?.find((each) => String(each.number) === number);
  return (
    <RecordsState
      isLoading={attempts === undefined}
      error={error}
      onRetry={() => void refetch()}
      empty={
        !attempt && (
          <EmptyState icon={IconHistory} title={webhooks.missingAttempt}>
            {webhooks.missingAttemptHint}
          </EmptyState>
        )
      }
    >
      {attempt && <AttemptDetails attempt={attempt} />}
      {attempt && isEventId(attempt.eventId) && (
        <EventAttempts endpointId={endpoint.id} attempt={attempt} log={attempts ?? []} />
      )}
      {attempt && (
        <ResendButton
          attempt={attempt}
          since={sinceThen(attempt, attempts ?? [], endpoint)}
          isSending={sending.has(attempt.eventId)}
          mayResend={isAdministrator}
          onSend={() => void send([attempt], attempts ?? [])}
        />
      )}
      {attempt && isAdministrator && isEventId(attempt.eventId) && (
        <Button variant="default" onClick={() => setReplaying(true)}>
          {webhooks.replayHere}
        </Button>
      )}
      {attempt && isReplaying && (
        <ReplayDialog endpoint={endpoint} after={attempt.eventId} onClose={() => setReplaying(false)} />
      )}
    </RecordsState>
  );
}
