import { ActionIcon, Button, type ButtonProps, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { IconCheck, IconCopy } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { useToast } from '../toast/toast-provider.tsx';

const SHOWN_MS = 2_000;

interface Props extends Pick<ButtonProps, 'variant' | 'size'> {
  readonly text: string;
  /** Names what is copied; the button is then an icon. */
  readonly label?: string;
  readonly onCopied?: () => void;
}

/** Copies a text, and confirms it in place. */
export function CopyButton({ text, label, onCopied, ...look }: Props) {
  const { app, errors } = useTexts();
  const { actions } = app;
  const toast = useToast();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () =>
    void copyText(text).then(
      () => {
        setCopied(true);
        onCopied?.();
      },
      () => toast.show({ message: errors.codes.copy_refused, isError: true }),
    );
  const icon = isCopied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.75} />;
  const words = isCopied ? actions.copied : actions.copy;
  if (label !== undefined)
    return (
      <Tooltip label={words}>
        <ActionIcon variant="subtle" color="gray" size={28} onClick={copy} aria-label={`${words}: ${label}`}>
          {icon}
        </ActionIcon>
      </Tooltip>
    );
  return (
    <Button {...look} leftSection={icon} onClick={copy}>
      <span aria-live="polite">{words}</span>
    </Button>
  );
}

/** Copies a text, without a prompt. It rejects if the browser refuses. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without TLS, other hosts than localhost have no clipboard, and a browser may refuse it.
    copySelection(text);
  }
}

function copySelection(text: string): void {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  // Inside the dialog that has the focus, because a dialog takes the focus back from the rest of the page.
  (focused?.closest('[role="dialog"]') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error('The browser refused to copy.');
}
