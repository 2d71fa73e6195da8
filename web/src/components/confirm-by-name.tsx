import { Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../texts/texts-context.tsx';
import { FormDialog } from './dialogs/form-dialog.tsx';

interface Props {
  readonly title: string;
  /** The name of the record, which the person must type. */
  readonly name: string;
  /** A verb, such as "Revoke the key". */
  readonly action: string;
  /** The button that leaves the question, where "Cancel" could be taken for the action. */
  readonly leave?: string;
  readonly children?: ReactNode;
  /** What the service does meanwhile. */
  readonly work?: string;
  /** What the person must do where pets are in the way. */
  readonly remedy?: string;
  readonly onClose: () => void;
  /** The dialog shows what it throws. */
  readonly onConfirm: () => Promise<void>;
}

/** Confirms what cannot be undone. Render it while the question is open. */
export function ConfirmByName({
  title,
  name,
  action,
  leave,
  children,
  work,
  remedy,
  onClose,
  onConfirm,
}: Props) {
  const { confirm } = useTexts().app;
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={title}
      action={action}
      leave={leave}
      isDanger
      isReady={typed.trim() === name}
      work={work}
      remedy={remedy}
      onClose={onClose}
      onSubmit={onConfirm}
    >
      {children}
      <Text c="dimmed">{confirm.irreversible}</Text>
      <TextInput
        label={confirm.type(name)}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </FormDialog>
  );
}
