import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { ApiError } from '../api/api-error.ts';
import { HotkeyProvider } from '../components/hotkeys/hotkey-provider.tsx';
import { ToastProvider } from '../components/toast/toast-provider.tsx';
import { movementStream } from '../live/use-live.ts';
import { SessionProvider } from '../session/session-context.tsx';
import { TextsProvider, useTexts } from '../texts/texts-context.tsx';
import { cssVariablesResolver, makeTheme } from '../theme/theme.ts';
import { preloadPage } from './pages.ts';
import { Routes } from './routes.tsx';

declare global {
  var __webpack_nonce__: string | undefined;
}

/** The nonce of the Content-Security-Policy, which the service writes into the page; styles without it are refused. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// Libraries that add styles read it here.
globalThis.__webpack_nonce__ = nonce;

const MAX_RETRIES = 3;

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: isToRetry,
      // The live stream says when something has changed.
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** Without a connection an attempt can only fail: the page reads again as soon as it is back. */
function isToRetry(count: number, error: unknown): boolean {
  if (movementStream.status.state === 'offline') return false;
  return error instanceof ApiError && error.isTemporary && count < MAX_RETRIES;
}

export function App() {
  return (
    <TextsProvider>
      <Themed />
    </TextsProvider>
  );
}

function Themed() {
  const { close } = useTexts().app.actions;
  const theme = useMemo(() => makeTheme(close), [close]);
  useEffect(() => {
    // The request for the session goes first.
    const timer = setTimeout(() => preloadPage(location.pathname));
    return () => clearTimeout(timer);
  }, []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      getStyleNonce={() => nonce}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <HotkeyProvider>
          <ToastProvider>
            <SessionProvider>
              <Routes />
            </SessionProvider>
          </ToastProvider>
        </HotkeyProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
