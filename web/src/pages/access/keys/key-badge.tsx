import { Badge, type Shape, type Tone } from '../../../components/badge.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';

type State = 'active' | 'revoked' | 'expired' | 'banned';
const LOOKS: Readonly<Record<State, readonly [Shape, Tone]>> = {
  active: ['dot', 'success'],
  revoked: ['cross', 'neutral'],
  expired: ['square', 'neutral'],
  banned: ['triangle', 'danger'],
};

/** Whether a key works. A state of a later release shows as it is. */
export function KeyBadge({ state, isBanned = false }: { state: string; isBanned?: boolean }) {
  const { states } = useTexts().access.keys;
  if (!Object.hasOwn(LOOKS, state)) return <>{state}</>;
  const shown = isBanned && state === 'active' ? 'banned' : (state as State);
  const [shape, tone] = LOOKS[shown];
  return (
    <Badge shape={shape} tone={tone}>
      {states[shown]}
    </Badge>
  );
}
