import { Link } from 'wouter';
import type { PetStatus, WebhookEndpoint } from '../../api/schemas.ts';
import { useAccounts } from '../../components/accounts/use-accounts.ts';
import { StatusBadge } from '../../components/badge.tsx';
import { Quantity } from '../../components/quantity.tsx';
import { Facts } from '../../components/records/facts.tsx';
import { Code, Identifier } from '../../components/records/identifier.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './endpoint-page.module.css';
import { Behind, EndpointBadge } from './endpoint-state.tsx';
import { shownPlace } from './events.ts';
import { useHead } from './webhooks-api.ts';

/** The filter of an endpoint, and the state of its deliveries. */
export function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { webhooks } = useTexts();
  const head = useHead();
  const { failingSince, failures, retryAt, pausedAt, previousSecretExpiresAt } = endpoint;
  const time = (at: string | null) => (at === null ? undefined : <RelativeTime at={at} />);
  const isRetrying = failingSince !== null && pausedAt === null;
  return (
    <div className={styles.facts}>
      <Facts
        facts={[
          [webhooks.state, <State key="state" endpoint={endpoint} />],
          [webhooks.behind, <Behind key="behind" endpoint={endpoint} head={head} />],
          [webhooks.deliveredTo, <Code key="to">{shownPlace(endpoint.lastEventId)}</Code>],
          [webhooks.failingSince, time(failingSince)],
          [webhooks.failures, failures === 0 ? undefined : <Quantity key="failures" value={failures} />],
          [webhooks.nextAttempt, isRetrying ? time(retryAt) : undefined],
          [webhooks.oldSecret, time(previousSecretExpiresAt)],
          [webhooks.changed, time(endpoint.updatedAt)],
        ]}
      />
      <Facts
        facts={[
          [webhooks.url, <Identifier key="url" id={endpoint.url} label={webhooks.url} />],
          [webhooks.account, <AccountLink key="account" accountId={endpoint.accountId} />],
          [webhooks.events, <Events key="events" types={endpoint.types} />],
          [webhooks.pets, <Pets key="pets" petIds={endpoint.petIds} />],
          [webhooks.statuses, <Statuses key="statuses" statuses={endpoint.statuses} />],
          [webhooks.id, <Identifier key="id" id={endpoint.id} label={webhooks.id} />],
        ]}
      />
    </div>
  );
}

function State({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <>
      <EndpointBadge endpoint={endpoint} />
      {endpoint.pausedAt !== null && <PauseReason reason={endpoint.pauseReason} />}
    </>
  );
}

/** A reason of a later release shows as it is. */
function PauseReason({ reason }: { reason: string | null }) {
  const { pauseReasons } = useTexts().webhooks;
  if (reason === null) return null;
  return Object.hasOwn(pauseReasons, reason) ? pauseReasons[reason as keyof typeof pauseReasons] : reason;
}

function AccountLink({ accountId }: { accountId: string }) {
  const { records: accounts = [] } = useAccounts();
  const name = accounts.find(({ id }) => id === accountId)?.name;
  return <Link href={`/access/accounts/${accountId}`}>{name ?? accountId}</Link>;
}

function Events({ types }: { types: readonly string[] | null }) {
  const { allEvents } = useTexts().webhooks;
  if (types === null) return allEvents;
  return types.map((type) => <Code key={type}>{type}</Code>);
}

const SHOWN_PETS = 20;

function Pets({ petIds }: { petIds: readonly string[] | null }) {
  const { allPets } = useTexts().webhooks;
  if (petIds === null) return allPets;
  return (
    <>
      {petIds.slice(0, SHOWN_PETS).map((petId) => (
        <Link key={petId} href={`/pets/${petId}`}>
          {petId}
        </Link>
      ))}
      {petIds.length > SHOWN_PETS && `+ ${petIds.length - SHOWN_PETS}`}
    </>
  );
}

function Statuses({ statuses }: { statuses: readonly PetStatus[] | null }) {
  const { allStatuses } = useTexts().webhooks;
  if (statuses === null) return allStatuses;
  return statuses.map((status) => <StatusBadge key={status} status={status} />);
}
