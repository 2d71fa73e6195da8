import type { Stocktake, StocktakeScope, StocktakeState } from '../../api/schemas.ts';
import { Badge, type Shape, type Tone } from '../../components/badge.tsx';
import { Facts } from '../../components/records/facts.tsx';
import type { Texts } from '../../texts/en.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';

const STATES: Readonly<Record<StocktakeState, readonly [Shape, Tone]>> = {
  running: ['half', 'accent'],
  closed: ['dot', 'success'],
  undone: ['square', 'neutral'],
  cancelled: ['cross', 'neutral'],
};

export function StocktakeBadge({ state }: { state: StocktakeState }) {
  const [shape, tone] = STATES[state];
  return (
    <Badge shape={shape} tone={tone}>
      {useTexts().stocktakes.state[state]}
    </Badge>
  );
}

/** Which pets must be counted, in words. */
export function scopeText(scope: StocktakeScope, { stocktakes, shared }: Texts): string {
  const { q, category, status, alert } = scope;
  const parts = [
    q !== null && stocktakes.scope.words(q),
    category,
    status !== null && shared.status[status],
    alert?.map((level) => shared.alert[level]).join(', '),
  ].filter((part): part is string => typeof part === 'string' && part !== '');
  return parts.length === 0 ? stocktakes.scope.all : parts.join(' · ');
}

/** Who started, closed, undid or cancelled it, and when. */
export function StocktakeFacts({ stocktake }: { stocktake: Stocktake }) {
  const texts = useTexts();
  const { info, posting } = texts.stocktakes;
  const format = useFormat();
  const when = (at: string | null, by?: { readonly name: string } | null) => {
    if (at === null) return undefined;
    const moment = format.dateTime(new Date(at));
    return by ? info.by(by.name, moment) : moment;
  };
  const { scope, startedAt, startedBy, closedAt, closedBy, undoneAt, undoneBy, prunedAt } = stocktake;
  const { cancelledAt, cancelledBy } = stocktake;
  return (
    <Facts
      facts={[
        [info.scope, <bdi key="scope">{scopeText(scope, texts)}</bdi>],
        [info.posting, posting[stocktake.posting]],
        [info.started, when(startedAt, startedBy)],
        [info.closed, when(closedAt, closedBy)],
        [info.undone, when(undoneAt, undoneBy)],
        [info.cancelled, when(cancelledAt, cancelledBy)],
        [info.pruned, prunedAt === null ? undefined : `${when(prunedAt)}. ${info.prunedHint}`],
      ]}
    />
  );
}
