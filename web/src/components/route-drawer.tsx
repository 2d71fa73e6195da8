import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useTypedContent } from './dialogs/typed-content.tsx';
import { useReturnedFocus } from './dialogs/use-returned-focus.ts';
import { useTitlePart } from './page/use-page-title.ts';

interface Props {
  readonly title: ReactNode;
  /** What is in the drawer, for the title of the tab. */
  readonly name: string;
  readonly isOpen: boolean;
  /** The address of the page below the drawer. */
  readonly closeTo: string;
  readonly children: ReactNode;
}

/** A drawer for details whose address is its own, so that Back closes it and a link opens it. */
export function RouteDrawer({ title, name, isOpen, closeTo, children }: Props) {
  const [, navigate] = useLocation();
  const { close, wrap } = useTypedContent(() => navigate(closeTo));
  useReturnedFocus();
  useEscape(isOpen, close);
  useTitlePart(isOpen ? name : undefined);
  return (
    <Drawer opened={isOpen} onClose={close} closeOnEscape={false} title={title} size={480}>
      {wrap(children)}
    </Drawer>
  );
}

/** Escape closes the drawer, unless a dialog over it has the key: that may show a secret which is not shown again. */
function useEscape(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (!isOpen) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || isForListBox(event.target)) return;
      if (document.querySelectorAll('[role="dialog"]').length === 1) latest.current();
    };
    // In the capture phase, so that it runs before the listener with which the dialog closes itself.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isOpen]);
}

/** Mantine marks fields whose list box is open. */
function isForListBox(target: EventTarget | null): boolean {
  return target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';
}
