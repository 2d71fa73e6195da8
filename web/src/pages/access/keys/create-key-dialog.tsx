import { Text } from '@mantine/core';
import { useState } from 'react';
import { AccountSelect } from '../../../components/accounts/account-select.tsx';
import { useAccounts } from '../../../components/accounts/use-accounts.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { createApiKey } from './keys-api.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { ScopePicker } from './scope-picker.tsx';
import { type Scope, SCOPES } from './scopes.ts';

interface Props {
  /** The account of the key; without it the person chooses one. */
  readonly accountId?: string;
  readonly onClose: () => void;
}

export function CreateKeyDialog({ accountId, onClose }: Props) {
  const { keys } = useTexts().access;
  const [account, setAccount] = useState<string | null>(accountId ?? null);
  const format = useFormat();
  const limited = useAccounts().records?.find(({ id }) => id === account);
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  return (
    <NewKeyDialog
      kind="client"
      nameHint={keys.nameHint}
      accountId={account}
      isReady={account !== null && scopes.length > 0}
      size={560}
      onClose={onClose}
      onCreate={(key) =>
        createApiKey({
          ...key,
          accountId: account as string,
          ...(scopes.length < SCOPES.length && { scopes }),
        })
      }
    >
      {accountId === undefined && <AccountSelect value={account} onChange={setAccount} />}
      {limited && (
        <Text size="xs" c="dimmed">
          {keys.sharedLimits(format.quantity(limited.perMinute), format.quantity(limited.perDay))}
        </Text>
      )}
      <ScopePicker chosen={scopes} onChange={setScopes} />
    </NewKeyDialog>
  );
}
