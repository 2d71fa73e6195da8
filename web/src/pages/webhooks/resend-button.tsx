import { Button } from '@mantine/core';
import type { WebhookAttempt } from '../../api/schemas.ts';
import { Badge } from '../../components/badge.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import type { Since } from './use-resend.ts';

interface Props {
  readonly attempt: WebhookAttempt;
  readonly since: Since;
  readonly isSending: boolean;
  readonly mayResend: boolean;
  readonly onSend: () => void;
}

/** What became of an event whose attempt failed, and what sends it again. */
export function ResendButton({ attempt: { eventId }, since, isSending, mayResend, onSend }: Props) {
  const { webhooks } = useTexts();
  if (since === undefined) return null;
  if (since === 'delivered')
    return (
      <Badge shape="dot" tone="success">
        {webhooks.deliveredSince}
      </Badge>
    );
  if (!mayResend) return null;
  const label = since === 'waiting' ? webhooks.sendNow : webhooks.sendAgain;
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={isSending}
      onClick={onSend}
      aria-label={`${label}: ${eventId}`}
    >
      {label}
    </Button>
  );
}
