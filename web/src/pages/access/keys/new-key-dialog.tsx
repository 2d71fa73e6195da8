import { Text, TextInput } from '@mantine/core';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import { type ReactNode, useState } from 'react';
import { atMost } from '../../../components/at-most.ts';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { useTwinQuestion } from '../../../components/dialogs/use-twin-question.ts';
import { SecretDialog } from '../../../components/secrets/secret-dialog.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { useRefresh } from '../access-api.ts';
import { type Expiry, ExpiryField } from './expiry-field.tsx';
import { type AnyKey, type KeyKind, PATHS } from './keys-api.ts';

interface NewKey {
  readonly name: string;
  readonly expiresAt?: string;
}

interface Props {
  readonly kind: KeyKind;
  readonly nameHint: string;
  /** The account of the key of a client. */
  readonly accountId?: string | null;
  /** Whether the fields of this kind are complete. */
  readonly isReady?: boolean;
  readonly size?: number;
  /** The fields of this kind, between name and expiry. */
  readonly children: ReactNode;
  readonly onCreate: (key: NewKey) => Promise<{ readonly key: string }>;
  readonly onClose: () => void;
}

/** Creates a key, and then shows its secret. */
export function NewKeyDialog({
  kind,
  nameHint,
  accountId,
  isReady = true,
  size,
  children,
  onCreate,
  onClose,
}: Props) {
  const { keys } = useTexts().access;
  const refresh = useRefresh();
  const [name, setName] = useState('');
  const [expiresAt, setExpiresAt] = useState<Expiry>();
  const [secret, setSecret] = useState<string>();
  const askAboutTwins = useTwinQuestion();
  const submit = async () => {
    await askAboutTwins<AnyKey>({
      path: PATHS[kind],
      ...(accountId && { query: { accountId } }),
      isTwin: (other) => other.state === 'active' && other.name === name.trim(),
      madeAt: ({ createdAt }) => createdAt,
      name: name.trim(),
    });
    const expiry = typeof expiresAt === 'string' ? { expiresAt } : undefined;
    const { key } = await onCreate({ name: name.trim(), ...expiry });
    void refresh();
    setSecret(key);
  };
  if (secret !== undefined)
    return (
      <SecretDialog title={keys.createdTitle} label={keys.secret[kind]} secret={secret} onClose={onClose}>
        {kind === 'management' && <Text c="dimmed">{keys.signInWith(location.origin)}</Text>}
      </SecretDialog>
    );
  return (
    <FormDialog
      title={keys.create}
      action={keys.createAction}
      isReady={isReady && name.trim() !== '' && expiresAt !== null}
      size={size}
      onClose={onClose}
      onSubmit={submit}
      staysOpen
    >
      <TextInput
        label={keys.name}
        description={nameHint}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        {...atMost(MAX_NAME)}
        autoComplete="off"
        data-autofocus
      />
      {children}
      <ExpiryField onChange={setExpiresAt} />
    </FormDialog>
  );
}
