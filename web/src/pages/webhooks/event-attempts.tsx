import { Link } from 'wouter';
import type { WebhookAttempt } from '../../api/schemas.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { attemptText } from '../../texts/attempt-text.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { AttemptBadge } from './attempt-details.tsx';
import styles from './attempt-details.module.css';

/** An event that fails for days has more; the log has them all. */
const SHOWN = 10;

interface Props {
  readonly endpointId: string;
  /** The one that is shown. */
  readonly attempt: WebhookAttempt;
  /** The log of the endpoint, the newest first. */
  readonly log: readonly WebhookAttempt[];
}

/** The attempts to send one event, the newest first: what sent it again has its result here. */
export function EventAttempts({ endpointId, attempt: { number, eventId }, log }: Props) {
  const texts = useTexts();
  const { webhooks } = texts;
  const attempts = log.filter((each) => each.eventId === eventId).slice(0, SHOWN);
  if (attempts.length < 2 && attempts[0]?.number === number) return null;
  return (
    <section aria-label={webhooks.eventAttempts} className={styles.response}>
      <h3 className={styles.title}>{webhooks.eventAttempts}</h3>
      <ol className={styles.attempts} aria-live="polite">
        {attempts.map((each) => (
          <li key={each.number} className={styles.attempt}>
            <AttemptBadge attempt={each} />
            <RelativeTime at={each.attemptedAt} />
            {each.number === number ? (
              <span className={styles.shown}>{webhooks.shownAttempt}</span>
            ) : (
              <Link href={`/webhooks/${endpointId}/${each.number}`} className="tap">
                {attemptText(each, texts) ?? webhooks.accepted}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
