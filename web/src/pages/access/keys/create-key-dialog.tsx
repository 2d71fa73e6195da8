import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { AccountSelect } from '../../../components/accounts/account-select.tsx';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { SecretDialog } from '../../../components/secrets/secret-dialog.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { useRefresh } from '../access-api.ts';
import { type Expiry, ExpiryField } from './expiry-field.tsx';
import { createApiKey } from './keys-api.ts';
import { ScopePicker } from './scope-picker.tsx';
import { SCOPES } from './scopes.ts';

interface Props {
  /** The account of the key; without it the person chooses one. */
  readonly accountId?: string;
  readonly onClose: () => void;
}

export function CreateKeyDialog({ accountId, onClose }: Props) {
  const { keys } = useTexts().access;
  const refresh = useRefresh();
  const [account, setAccount] = useState<string | null>(accountId ?? null);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState(SCOPES);
  const [expiresAt, setExpiresAt] = useState<Expiry>();
  const [secret, setSecret] = useState<string>();
  const isReady = name.trim() !== '' && account !== null && scopes.length > 0 && expiresAt !== null;
  const submit = async () => {
    const { key } = await createApiKey({
      accountId: account as string,
      name: name.trim(),
      ...(scopes.length < SCOPES.length && { scopes }),
      ...(typeof expiresAt === 'string' && { expiresAt }),
    });
    void refresh();
    setSecret(key);
  };
  if (secret !== undefined)
    return (
      <SecretDialog title={keys.createdTitle} label={keys.secret.client} secret={secret} onClose={onClose} />
    );
  return (
    <FormDialog
      title={keys.create}
      action={keys.createAction}
      isReady={isReady}
      size={560}
      onClose={onClose}
      onSubmit={submit}
      staysOpen
    >
      <TextInput
        label={keys.name}
        description={keys.nameHint}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={100}
        autoComplete="off"
        data-autofocus
      />
      {accountId === undefined && <AccountSelect value={account} onChange={setAccount} />}
      <ScopePicker chosen={scopes} onChange={setScopes} />
      <ExpiryField onChange={setExpiresAt} />
    </FormDialog>
  );
}
