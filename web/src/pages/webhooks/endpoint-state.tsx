import type { WebhookEndpoint } from '../../api/schemas.ts';
import { Badge, type Shape, type Tone } from '../../components/badge.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { sequenceOf } from './events.ts';

type State = 'active' | 'failing' | 'paused';
const LOOKS: Readonly<Record<State, readonly [Shape, Tone]>> = {
  active: ['dot', 'success'],
  failing: ['triangle', 'danger'],
  paused: ['square', 'warning'],
};

export function stateOf({ pausedAt, failingSince }: WebhookEndpoint): State {
  if (pausedAt !== null) return 'paused';
  return failingSince === null ? 'active' : 'failing';
}

export function EndpointBadge({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { states } = useTexts().webhooks;
  const state = stateOf(endpoint);
  const [shape, tone] = LOOKS[state];
  return (
    <Badge shape={shape} tone={tone}>
      {states[state]}
    </Badge>
  );
}

/** How far an endpoint is behind the newest movement. */
export function Behind({ endpoint, head }: { endpoint: WebhookEndpoint; head: number | undefined }) {
  const { webhooks } = useTexts();
  const format = useFormat();
  if (head === undefined) return null;
  const movements = head - sequenceOf(endpoint.lastEventId);
  if (movements <= 0) return webhooks.upToDate;
  return <span className="number">{webhooks.behindBy(format.count(movements))}</span>;
}

/** Host and path of a URL, for reading. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '');
}

export function hostOf(url: string): string {
  return new URL(url).host;
}
