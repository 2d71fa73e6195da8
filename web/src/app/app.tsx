import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError } from '../api/api-error.ts';
import { HotkeyProvider } from '../components/hotkeys/hotkey-provider.tsx';
import { ToastProvider } from '../components/toast/toast-provider.tsx';
import { movementStream } from '../live/use-live.ts';
import { SessionProvider } from '../session/session-context.tsx';
import { TextsProvider, useTexts } from '../texts/texts-context.tsx';
import { cssVariablesResolver, makeTheme } from '../theme/theme.ts';
import { nonce } from './nonce.ts';
import { Routes } from './routes.tsx';

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
