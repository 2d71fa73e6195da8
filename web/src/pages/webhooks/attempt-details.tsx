import type { WebhookAttempt } from '../../api/schemas.ts';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/records/facts.tsx';
import { Code, Identifier } from '../../components/records/identifier.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { attemptText } from '../../texts/attempt-text.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './attempt-details.module.css';

export function AttemptBadge({ attempt: { statusCode, error } }: { attempt: WebhookAttempt }) {
  const { noResponse } = useTexts().webhooks;
  return (
    <Badge shape={error === null ? 'dot' : 'cross'} tone={error === null ? 'success' : 'danger'}>
      {statusCode === null ? noResponse : String(statusCode)}
    </Badge>
  );
}

/** An attempt with the beginning of its response, which is text and nothing else. */
export function AttemptDetails({ attempt }: { attempt: WebhookAttempt }) {
  const texts = useTexts();
  const { webhooks } = texts;
  const format = useFormat();
  return (
    <>
      <Facts
        facts={[
          [webhooks.result, <AttemptBadge key="result" attempt={attempt} />],
          [webhooks.error, attemptText(attempt, texts)],
          [webhooks.event, <Code key="event">{attempt.eventType}</Code>],
          [webhooks.eventId, <Identifier key="id" id={attempt.eventId} label={webhooks.eventId} />],
          [webhooks.time, <RelativeTime key="time" at={attempt.attemptedAt} />],
          [webhooks.duration, webhooks.milliseconds(format.quantity(attempt.durationMs))],
          [webhooks.attempt, format.quantity(attempt.attempt)],
        ]}
      />
      {attempt.response !== null && (
        <section aria-label={webhooks.response} className={styles.response}>
          <h3 className={styles.title}>{webhooks.response}</h3>
          {attempt.response === '' ? (
            webhooks.emptyResponse
          ) : (
            <pre className={styles.body}>{attempt.response}</pre>
          )}
        </section>
      )}
    </>
  );
}
