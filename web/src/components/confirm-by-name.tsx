import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTexts } from '../texts/texts-context.tsx';

interface Props {
  readonly title: string;
  /** What has to be typed: the name of what will be gone. */
  readonly name: string;
  /** A verb, such as "Revoke the key". */
  readonly action: string;
  readonly children?: ReactNode;
  readonly onClose: () => void;
  /** The dialog shows what it throws. */
  readonly onConfirm: () => Promise<void>;
}

/** Confirms what cannot be undone. Render it while the question is open. */
export function ConfirmByName({ title, name, action, children, onClose, onConfirm }: Props) {
  const { confirm, actions } = useTexts().app;
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isConfirmed = typed.trim() === name;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isConfirmed) return;
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };

  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={(event) => void submit(event)}>
        {children}
        <Text c="dimmed" mb="md">
          {confirm.irreversible}
        </Text>
        <TextInput
          label={confirm.type(name)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={problem}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose}>
            {actions.cancel}
          </Button>
          <Button type="submit" color="red.8" disabled={!isConfirmed} loading={isBusy}>
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
