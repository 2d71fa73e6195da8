import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { IconAlertTriangle } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './secret-dialog.module.css';

interface Props {
  readonly title: string;
  /** Names the field, such as "API key". */
  readonly label: string;
  readonly secret: string;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** Shows a secret that cannot be read again. Only its button closes it, and the browser asks before it leaves the page. */
export function SecretDialog({ title, label, secret, children, onClose }: Props) {
  const { secrets } = useTexts().app;
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (isCopied) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isCopied]);
  return (
    <Dialog
      onClose={onClose}
      title={title}
      size={560}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <div className={styles.content}>
        <p className={styles.warning}>
          <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
          {secrets.once}
        </p>
        <div className={styles.row}>
          <Textarea
            label={label}
            value={secret}
            readOnly
            autosize
            className={styles.field}
            classNames={{ input: styles.secret }}
            onFocus={(event) => event.currentTarget.select()}
            autoComplete="off"
            spellCheck={false}
          />
          <CopyButton text={secret} onCopied={() => setCopied(true)} />
        </div>
        {children}
        <Button variant={isCopied ? 'filled' : 'default'} className={styles.done} onClick={onClose}>
          {secrets.stored}
        </Button>
      </div>
    </Dialog>
  );
}
