import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { useHotkeys } from '../../components/hotkeys/hotkey-provider.tsx';
import { useHotkeySheet } from '../../components/hotkeys/hotkey-sheet.tsx';
import { useKeptScroll } from '../../components/page/kept-scroll.ts';
import { useCountSender } from '../../counts/use-counts.ts';
import { useLiveStatus } from '../../live/use-live.ts';
import { useAllCode } from '../../loading/use-all-code.ts';
import { useSession } from '../../session/session-context.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { ENTRIES } from '../pages.ts';
import { Navigation } from './navigation.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { openPalette, Palette } from './palette.tsx';
import styles from './shell.module.css';
import { TopBar } from './top-bar.tsx';

/** Navigation at the left, top bar, and the page. */
export function Shell({ children }: { children: ReactNode }) {
  const { app } = useTexts();
  const [, navigate] = useLocation();
  useCountSender(useSession());
  const { state } = useLiveStatus();
  useAllCode(state !== 'offline');
  useReadAgain(state === 'live');
  const content = useRef<HTMLElement>(null);
  useKeptScroll(content);
  const { sheet, open: openSheet } = useHotkeySheet();
  useHotkeys(app.keys.general, [
    { keys: 'Mod+k', label: app.keys.palette, run: openPalette, isGlobal: true },
    { keys: '/', label: app.keys.search, run: focusSearch },
    ...ENTRIES.map(({ name, entry }) => ({
      keys: entry.keys,
      label: app.keys.goTo(app.pages[name]),
      run: () => navigate(entry.href),
    })),
  ]);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {app.skip}
      </a>
      <Navigation />
      <div className={styles.side}>
        <TopBar onShowKeys={openSheet} />
        <OfflineBar />
        <main ref={content} id="content" className={styles.content} tabIndex={-1}>
          {children}
        </main>
      </div>
      <Palette onShowKeys={openSheet} />
      {sheet}
    </div>
  );
}

/** Reads again what could not be read, as soon as the service is reached again. */
function useReadAgain(isLive: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isLive) return;
    const isToRead = ({ state: { error } }: { state: { error: unknown } }) =>
      error instanceof ApiError && error.isTemporary;
    void queries.refetchQueries({ type: 'active', predicate: isToRead });
  }, [isLive, queries]);
}

/** The search of the page, or the palette on a page without one. */
function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>('#content input[type="search"]');
  if (!search) {
    openPalette();
    return;
  }
  search.focus();
  search.select();
}
