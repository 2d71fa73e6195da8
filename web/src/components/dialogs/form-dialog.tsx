import { Button, Group, Progress } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { DraftNote } from '../../drafts/draft-note.tsx';
import { OfflineNote } from '../../drafts/offline-note.tsx';
import type { FormDraft } from '../../drafts/use-draft.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { Dialog } from './dialog.tsx';
import styles from './form-dialog.module.css';
import { PetsInTheWayList } from './pets-in-the-way.tsx';
import { useSubmit } from './use-submit.ts';

interface Props {
  readonly title: string;
  /** A verb, such as "Create the account". */
  readonly action: string;
  /** The button that leaves the form, where "Cancel" could be taken for the action. */
  readonly leave?: string | undefined;
  /** Whether the action destroys something. */
  readonly isDanger?: boolean;
  /** Whether the form is complete. */
  readonly isReady?: boolean;
  readonly size?: number;
  /** The draft of the form. A form that stays open ends it itself. */
  readonly draft?: FormDraft;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** Without a connection, what is sent waits for one. */
  readonly waits?: boolean;
  /** The caller closes it, or shows what was made in place of the form. */
  readonly staysOpen?: boolean;
  /** What the service does while the request runs, of one that may take many seconds. */
  readonly work?: string | undefined;
  /** What the person must do where pets are in the way, which are listed below it. */
  readonly remedy?: string | undefined;
  /** The dialog shows what it throws, and closes when it resolves. */
  readonly onSubmit: () => Promise<unknown>;
}

/** A form over the page. Render it while it is open. */
export function FormDialog({
  title,
  action,
  leave,
  isDanger = false,
  isReady = true,
  size,
  staysOpen = false,
  draft,
  waits = false,
  work,
  remedy,
  children,
  onClose,
  onSubmit,
}: Props) {
  const { actions } = useTexts().app;
  const { isBusy, problem, pets, submit } = useSubmit(async () => {
    if (!isReady) return;
    await onSubmit();
    if (!staysOpen) cancel();
  });
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A button that is busy loses the focus, which the next attempt needs.
    if (problem !== undefined && document.activeElement === document.body) button.current?.focus();
  }, [problem]);
  const cancel = () => {
    draft?.end();
    onClose();
  };
  return (
    <Dialog
      // Not while the request runs: its result may be a secret that is shown only here.
      onClose={isBusy ? () => {} : onClose}
      // A name that confirms a deletion is not worth a question.
      asks={!isBusy && !isDanger}
      closeOnClickOutside={false}
      title={title}
      size={size}
    >
      <form onSubmit={(event) => void submit(event)} className={styles.form} {...draft?.form}>
        {!waits && <OfflineNote isKept={draft !== undefined} />}
        {draft && <DraftNote draft={draft} />}
        {children}
        {work !== undefined && isBusy && (
          <div className={styles.work} role="status">
            {work}
            <Progress value={100} size={4} animated aria-label={action} />
          </div>
        )}
        {problem !== undefined && (
          <div role="alert" className={styles.problem}>
            {(pets && remedy) ?? problem}
            {pets && <PetsInTheWayList {...pets} />}
          </div>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={cancel} disabled={isBusy}>
            {leave ?? actions.cancel}
          </Button>
          <Button
            ref={button}
            type="submit"
            color={isDanger ? 'red.8' : undefined}
            disabled={!isReady}
            loading={isBusy}
            // The first with it gets the focus: the button only in a form without a field.
            {...(isReady && !isDanger && { 'data-autofocus': true })}
          >
            {action}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
