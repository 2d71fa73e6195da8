import type { ImportState } from '../../api/schemas.ts';
import { Badge, type Shape, type Tone } from '../../components/badge.tsx';
import { useTexts } from '../../texts/texts-context.tsx';

const STATES: Readonly<Record<ImportState, readonly [Shape, Tone]>> = {
  receiving: ['half', 'accent'],
  checking: ['half', 'accent'],
  planned: ['ring', 'accent'],
  invalid: ['triangle', 'danger'],
  applying: ['half', 'accent'],
  applied: ['dot', 'success'],
  stale: ['triangle', 'warning'],
  cancelled: ['cross', 'neutral'],
  failed: ['cross', 'danger'],
};

export function ImportBadge({ state }: { state: ImportState }) {
  const [shape, tone] = STATES[state];
  return (
    <Badge shape={shape} tone={tone}>
      {useTexts().imports.states[state]}
    </Badge>
  );
}
