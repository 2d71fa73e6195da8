import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { RelativeTime } from '../components/relative-time.tsx';
import { useTexts } from '../texts/texts-context.tsx';
import styles from './draft-note.module.css';
import type { FormDraft } from './use-draft.ts';

/** Says that a form shows a draft, when it was kept, and what another tab did to it. */
export function DraftNote({ draft: { notice, show, discard } }: { draft: FormDraft }) {
  const { draft } = useTexts().app;
  const isDraft = notice?.kind === 'kept' || notice?.kind === 'changed';
  return (
    <div role="status" className={styles.note} hidden={notice === undefined}>
      {notice && (
        <span>
          {draft[notice.kind]} {isDraft && <RelativeTime at={new Date(notice.atMs).toISOString()} />}
        </span>
      )}
      {notice?.kind === 'changed' && <NoteButton onClick={show}>{draft.show}</NoteButton>}
      {notice?.kind === 'kept' && <NoteButton onClick={discard}>{draft.discard}</NoteButton>}
    </div>
  );
}

interface WaitingProps {
  /** What was typed, such as an adjustment. */
  readonly what: string;
  readonly keptAtMs: number | undefined;
  /** Opens the form; `undefined`: it opens otherwise. */
  readonly onOpen: (() => void) | undefined;
  readonly end: () => void;
}

/** Says that a draft waits for its form. */
export function WaitingDraft({ what, keptAtMs, onOpen, end }: WaitingProps) {
  const { draft } = useTexts().app;
  if (keptAtMs === undefined) return null;
  return (
    <div role="status" className={styles.note}>
      <span>
        {what} <RelativeTime at={new Date(keptAtMs).toISOString()} />
      </span>
      {onOpen && <NoteButton onClick={onOpen}>{draft.goOn}</NoteButton>}
      <NoteButton onClick={end}>{draft.discard}</NoteButton>
    </div>
  );
}

function NoteButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button variant="subtle" size="compact-sm" onClick={onClick}>
      {children}
    </Button>
  );
}
