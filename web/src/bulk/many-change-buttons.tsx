import { Button, Group } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTexts } from '../texts/texts-context.tsx';
import type { Work } from './use-many-change.ts';

interface Props {
  /** Whether the preview is complete, and nothing is applied yet. */
  readonly isPlanned: boolean;
  /** What the service does now. */
  readonly work: Work | undefined;
  readonly isDisabled: boolean;
  /** Goes from the preview back to the fields. */
  readonly onEdit: () => void;
  /** Stops what runs, or closes the dialog. */
  readonly onStop: () => void;
  /** What the button does that sends the form. */
  readonly children: ReactNode;
}

/** The buttons of a form that changes many pets. */
export function ManyChangeButtons({ isPlanned, work, isDisabled, onEdit, onStop, children }: Props) {
  const { stock, app } = useTexts();
  const button = useRef<HTMLButtonElement>(null);
  const wasPlanned = useRef(false);
  useEffect(() => {
    // The button that returns to the fields is gone, and had the focus.
    const isBack = wasPlanned.current && !isPlanned && work === undefined;
    if (isBack && document.activeElement === document.body) button.current?.focus();
    wasPlanned.current = isPlanned;
  }, [isPlanned, work]);
  return (
    <Group justify="flex-end" gap="xs">
      {isPlanned && (
        <Button variant="default" onClick={onEdit}>
          {stock.many.edit}
        </Button>
      )}
      <Button variant="default" onClick={onStop}>
        {work === 'apply' ? stock.stop : app.actions.cancel}
      </Button>
      <Button ref={button} type="submit" loading={work !== undefined} disabled={isDisabled}>
        {children}
      </Button>
    </Group>
  );
}
