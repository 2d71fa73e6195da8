import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { IconError404 } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { EmptyState } from './empty-state.tsx';

interface Props {
  /** Says which record is not there; by default, that the page is not. */
  readonly title?: string;
  readonly hint?: string;
  /** The page that a person may look for; by default, the stock. */
  readonly leadsTo?: { readonly href: string; readonly label: string };
}

export function NotFound({ title, hint, leadsTo }: Props) {
  const { states } = useTexts().app;
  return (
    <EmptyState
      icon={IconError404}
      title={title ?? states.notFound}
      isTitle
      actions={
        <Button component={Link} href={leadsTo?.href ?? '/stock'} variant="default">
          {leadsTo?.label ?? states.toStock}
        </Button>
      }
    >
      {hint ?? states.notFoundHint}
    </EmptyState>
  );
}
