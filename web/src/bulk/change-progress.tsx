import { Progress } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { BulkChange } from '../api/schemas.ts';
import { useFormat, useTexts } from '../texts/texts-context.tsx';
import styles from './many-dialog.module.css';
import type { Work } from './use-many-change.ts';

interface Props {
  readonly counts: BulkChange['counts'];
  /** What the service does now; `undefined`: the preview is complete. */
  readonly work: Work | undefined;
  /** The selected pets. */
  readonly count: number;
}

/** How far a preview or a change is. */
export function ChangeProgress({ counts, work, count }: Props) {
  const { stock, shared } = useTexts();
  const format = useFormat();
  const { done, total } = appliedOf(counts);
  const status = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that made the preview was busy, and lost the focus. Enter must not apply what was not read.
    if (work === undefined && document.activeElement === document.body) status.current?.focus();
  }, [work]);
  const checked = Object.values(counts).reduce((sum, pets) => sum + pets, 0);
  const share = work === 'plan' ? checked / count : total === 0 ? 0 : done / total;
  return (
    <div ref={status} role="status" tabIndex={-1}>
      <p className={`${styles.progress} number`}>
        {work === 'plan'
          ? stock.checkedOf(format.quantity(checked), format.quantity(count))
          : work === 'apply'
            ? stock.appliedOf(format.quantity(done), format.quantity(total))
            : stock.many.planned(
                shared.pets(format.count(counts.planned)),
                format.quantity(counts.unchanged),
                format.quantity(counts.refused),
              )}
      </p>
      {work && <Progress value={share * 100} size={4} aria-label={stock.preview} />}
    </div>
  );
}

/** The pets of a plan, and those of them that are done. */
export function appliedOf({ planned, changed, stale }: BulkChange['counts']) {
  const done = changed + stale;
  return { done, total: planned + done };
}
