import type { Import, ImportState } from '../../api/schemas.ts';
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

const UNDONE = ['cross', 'neutral'] as const;

interface Props {
  readonly of: Pick<Import, 'state'>;
  /** Whether an undo took back what it wrote. */
  readonly isUndone: boolean;
}

export function ImportBadge({ of: { state }, isUndone }: Props) {
  const { app, imports } = useTexts();
  const [shape, tone] = isUndone ? UNDONE : STATES[state];
  return (
    <Badge shape={shape} tone={tone}>
      {isUndone ? app.undone : imports.states[state]}
    </Badge>
  );
}
