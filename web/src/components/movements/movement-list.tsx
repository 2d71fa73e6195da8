import { memo } from 'react';
import type { Movement } from '../../api/schemas.ts';
import { useMay } from '../../session/session-context.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { useNow } from '../relative-time.tsx';
import { useLoggedEdits } from './logged-edits.ts';
import { beginningDays, midnight } from './movement-days.ts';
import styles from './movement-list.module.css';
import { MovementRow } from './movement-row.tsx';
import { useUndoMovement } from './use-undo-movement.ts';

interface Props {
  readonly label: string;
  /** Newest first. */
  readonly movements: readonly Movement[];
  /** Newer ones are highlighted for a moment. */
  readonly freshAfter?: number;
  /** Names by petId; with them each row shows its pet. */
  readonly petNames?: ReadonlyMap<string, string>;
  /** The name of the pet if all movements are of one. */
  readonly petName?: string;
}

/** Changes of stock with who, why and undo. */
export const MovementList = memo(function MovementList(props: Props) {
  const { label, movements, freshAfter = Infinity, petNames, petName } = props;
  const texts = useTexts();
  const mayUndo = useMay('staff');
  const undo = useUndoMovement();
  const todayMs = midnight(useNow());
  const days = beginningDays(movements, todayMs);
  const logged = useLoggedEdits(movements);
  const undone = new Set(movements.map(({ revertedSequence }) => revertedSequence));
  return (
    <ol className={styles.list} aria-label={label} data-pets={petNames !== undefined || undefined}>
      {movements.map((movement) => {
        const { sequence, petId } = movement;
        return (
          <MovementRow
            key={sequence}
            movement={movement}
            day={days.get(sequence)?.getTime()}
            todayMs={todayMs}
            isFresh={sequence > freshAfter}
            isUndone={undone.has(sequence)}
            isLogged={logged.has(sequence)}
            petName={petName ?? petNames?.get(petId) ?? texts.shared.unnamed(petId)}
            showsPet={petNames !== undefined}
            onUndo={mayUndo ? undo : undefined}
          />
        );
      })}
    </ol>
  );
});
