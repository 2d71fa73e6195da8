import { Button, Group, Modal } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { drafts } from '../../drafts/drafts.ts';
import { useTexts } from '../../texts/texts-context.tsx';

/** The form that is on the screen, in which a person has typed. It goes away with the form. */
const TOUCHED = 'data-touched';
/** A typed form that a reload loses: it has no draft, or the browser had no room for the draft. */
const LOST_BY_RELOAD = `form[${TOUCHED}]:is(:not([data-draft]), [data-unkept])`;

/** The dialogs of Mantine are at 200, and this one is in the document before the dialog around it. */
const OVER_DIALOGS = 201;

function markTouched({ target }: FormEvent): void {
  if (target instanceof Element) target.closest('form')?.setAttribute(TOUCHED, '');
}

/**
 * Keeps what a person typed in a dialog or a drawer: Escape, its cross, and a click beside it ask before it is lost. A
 * button of the form that cancels does not.
 */
export function useTypedContent(onClose: () => void, asks = true) {
  const { app } = useTexts();
  const content = useRef<HTMLDivElement>(null);
  const [isAsking, setAsking] = useState(false);
  // After the key press: the dialog that is on top when a listener runs would take the same Escape once more.
  const ask = (isOpen: boolean) => setTimeout(() => setAsking(isOpen));
  const close = () => {
    if (asks && content.current?.querySelector(`form[${TOUCHED}]`)) ask(true);
    else onClose();
  };
  const discard = () => {
    for (const form of content.current?.querySelectorAll<HTMLFormElement>('form[data-draft]') ?? [])
      drafts.end(form.dataset.draft ?? '');
    onClose();
  };
  useEffect(() => {
    if (!asks) return;
    // A draft comes back after a reload; other forms are lost, so that the browser asks.
    const askBrowser = (event: BeforeUnloadEvent) => {
      if (content.current?.querySelector(LOST_BY_RELOAD)) event.preventDefault();
    };
    window.addEventListener('beforeunload', askBrowser);
    return () => window.removeEventListener('beforeunload', askBrowser);
  }, [asks]);
  const wrap = (children: ReactNode) => (
    <div ref={content} style={{ display: 'contents' }} onChange={markTouched}>
      {children}
      {/* Not the dialog of this folder: Mantine returns the focus to the field, because this one stays mounted. */}
      <Modal
        opened={isAsking}
        onClose={() => ask(false)}
        title={app.discard.title}
        size={400}
        zIndex={OVER_DIALOGS}
        centered
      >
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => ask(false)} data-autofocus>
            {app.discard.keep}
          </Button>
          <Button color="red.8" onClick={discard}>
            {app.discard.action}
          </Button>
        </Group>
      </Modal>
    </div>
  );
  return { close, isAsking, wrap };
}
