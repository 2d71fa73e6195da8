import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { IconError404 } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { EmptyState } from './empty-state.tsx';

export function NotFound() {
  const { states } = useTexts().app;
  return (
    <EmptyState
      icon={IconError404}
      title={states.notFound}
      isTitle
      actions={
        <Button component={Link} href="/stock" variant="default">
          {states.toStock}
        </Button>
      }
    >
      {states.notFoundHint}
    </EmptyState>
  );
}
