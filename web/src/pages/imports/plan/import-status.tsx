import { Progress } from '@mantine/core';
import { Link } from 'wouter';
import type { Import } from '../../../api/schemas.ts';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { ImportBadge } from '../import-badge.tsx';
import { isBusy, useAppliedBefore, useNewestUndo } from '../imports-api.ts';
import styles from './import-status.module.css';

interface Props {
  readonly found: Import;
  readonly nameOf: (keyId: string | null) => string;
}

/** The state of an import in words, with its progress. */
export function ImportStatus({ found, nameOf }: Props) {
  const { imports } = useTexts();
  const format = useFormat();
  const { state, byteCount, checkedBytes, counts, errorCount, failureCode, newPetsToCheck, updatedAt } =
    found;
  const rows = counts.new + counts.changed;
  const isUndo = found.undoes !== null;
  const earlier = useAppliedBefore(found);
  const newestUndo = useNewestUndo(found);
  const by = nameOf(found.appliedBy);
  const hint = {
    receiving: imports.hints.receiving(format.bytes(byteCount)),
    checking: isUndo
      ? imports.undo.checking
      : imports.hints.checking(format.bytes(checkedBytes), format.bytes(byteCount)),
    planned: rows > 0 ? imports.hints.planned : isUndo ? imports.undo.nothing : imports.hints.nothing,
    invalid: (isUndo ? imports.undo : imports.hints).invalid(format.count(errorCount)),
    applying: imports.hints.applying,
    applied: imports.hints.applied(format.count(rows), by),
    stale: imports.hints.stale(format.count(errorCount)),
    cancelled: imports.hints.cancelled,
    failed: imports.failures[failureCode ?? 'interrupted'],
  }[state];
  const share = state === 'checking' && !isUndo ? checkedBytes / Math.max(byteCount, 1) : 1;
  return (
    <div className={styles.status} data-state={state} role="status">
      <ImportBadge of={found} undone={newestUndo?.share ?? 'none'} />
      <span className={styles.hint}>
        {hint}
        {newPetsToCheck > 0 && (state === 'planned' || state === 'invalid') && (
          <strong> {imports.newPetsToCheck(format.count(newPetsToCheck))}</strong>
        )}
        {earlier && (state === 'planned' || state === 'stale' || state === 'invalid') && (
          <strong>
            {' '}
            <Link href={`/imports/${earlier.id}`}>
              {imports.appliedBefore(nameOf(earlier.appliedBy))}
            </Link>{' '}
            <RelativeTime at={earlier.updatedAt} />
          </strong>
        )}
        {state === 'applied' && (
          <>
            {' '}
            <RelativeTime at={updatedAt} />
            {newestUndo && (
              <strong>
                {' '}
                <Link href={`/imports/${newestUndo.id}`}>{imports.undo.results[newestUndo.share]}</Link>
              </strong>
            )}
          </>
        )}
      </span>
      {isBusy(state) && (
        <Progress.Root className={styles.bar} size={4}>
          <Progress.Section value={share * 100} animated={share === 1} aria-label={imports.states[state]} />
        </Progress.Root>
      )}
    </div>
  );
}
