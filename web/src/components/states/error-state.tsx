import { Button } from '@mantine/core';
import { useLayoutEffect } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { endFirstRows } from '../../first-rows/end-first-rows.ts';
import { IconAlertTriangle, IconPlugConnectedX } from '../../icons/icons.tsx';
import { useErrorText, useTexts } from '../../texts/texts-context.tsx';
import { EmptyState } from './empty-state.tsx';

interface Props {
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly isWholePage?: boolean;
}

/** Shows why something could not be loaded, in the place where it would be. */
export function ErrorState({ error, onRetry, isWholePage = false }: Props) {
  const { states } = useTexts().app;
  const isOffline = error instanceof ApiError && error.status === 0;
  const errorText = useErrorText();
  useLayoutEffect(endFirstRows, []);
  return (
    <EmptyState
      icon={isOffline ? IconPlugConnectedX : IconAlertTriangle}
      title={isOffline ? states.offline : states.error}
      isWholePage={isWholePage}
      isTitle={isWholePage}
      actions={
        onRetry && (
          <Button variant="default" onClick={onRetry}>
            {states.retry}
          </Button>
        )
      }
    >
      {isOffline ? states.offlineHint : errorText(error)}
    </EmptyState>
  );
}
