import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useTypedContent } from './dialogs/typed-content.tsx';
import { useTexts } from '../texts/texts-context.tsx';
import { useReturnedFocus } from './dialogs/use-returned-focus.ts';

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
  useTabTitle(name, isOpen);
  return (
    <Drawer opened={isOpen} onClose={close} closeOnEscape={false} title={title} size={480}>
      {wrap(children)}
    </Drawer>
  );
}

/** The address of the drawer is its own, so tabs, bookmarks and the history of the browser tell it from the page below. */
function useTabTitle(name: string, isOpen: boolean): void {
  const { shop } = useTexts().app;
  useEffect(() => {
    if (!isOpen) return;
    const below = document.title;
    document.title = `${name} · ${below}`;
    return () => {
      document.title = below;
    };
    // The page below has its title in the language of the shop's name.
  }, [name, isOpen, shop]);
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
