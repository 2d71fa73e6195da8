import { Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Role } from '../../../api/schemas.ts';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { SecretDialog } from '../../../components/secrets/secret-dialog.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { useRefresh } from '../access-api.ts';
import { type Expiry, ExpiryField } from './expiry-field.tsx';
import { createManagementKey } from './keys-api.ts';

const ROLES: readonly Role[] = ['viewer', 'staff', 'administrator'];

export function CreateManagementKeyDialog({ onClose }: { onClose: () => void }) {
  const {
    app: { roles },
    access: { keys },
  } = useTexts();
  const refresh = useRefresh();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('staff');
  const [expiresAt, setExpiresAt] = useState<Expiry>();
  const [secret, setSecret] = useState<string>();
  const submit = async () => {
    const { key } = await createManagementKey({
      name: name.trim(),
      role,
      ...(typeof expiresAt === 'string' && { expiresAt }),
    });
    void refresh();
    setSecret(key);
  };
  if (secret !== undefined)
    return (
      <SecretDialog
        title={keys.createdTitle}
        label={keys.secret.management}
        secret={secret}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={keys.create}
      action={keys.createAction}
      isReady={name.trim() !== '' && expiresAt !== null}
      onClose={onClose}
      onSubmit={submit}
      staysOpen
    >
      <TextInput
        label={keys.name}
        description={keys.personHint}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={100}
        autoComplete="off"
        data-autofocus
      />
      <Radio.Group label={keys.role} value={role} onChange={(next) => setRole(next as Role)}>
        <Stack gap={8} mt={4}>
          {ROLES.map((each) => (
            <Radio key={each} value={each} label={roles[each]} description={keys.roleHints[each]} />
          ))}
        </Stack>
      </Radio.Group>
      <ExpiryField onChange={setExpiresAt} />
    </FormDialog>
  );
}
