import type { UndoneShare } from '@petstore-inventory/shared/undone-share';
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

const UNDONE: Readonly<Record<Exclude<UndoneShare, 'none'>, readonly [Shape, Tone]>> = {
  all: ['cross', 'neutral'],
  part: ['half', 'warning'],
};

interface Props {
  readonly of: Pick<Import, 'state'>;
  /** How much of what it wrote is taken back. */
  readonly undone: UndoneShare;
}

export function ImportBadge({ of: { state }, undone }: Props) {
  const { app, imports } = useTexts();
  const [shape, tone] = undone === 'none' ? STATES[state] : UNDONE[undone];
  const text = { none: imports.states[state], part: imports.undo.partly, all: app.undone }[undone];
  return (
    <Badge shape={shape} tone={tone}>
      {text}
    </Badge>
  );
}
