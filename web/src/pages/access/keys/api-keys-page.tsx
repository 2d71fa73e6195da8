import { useState } from 'react';
import { useAccounts } from '../../../components/accounts/use-accounts.ts';
import { useApiKeys, useFoundApiKeys } from '../../../components/accounts/use-keys.ts';
import { useOfferedCommands } from '../../../components/commands.ts';
import { RoleButton } from '../../../session/role-button.tsx';
import { useMay } from '../../../session/session-context.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { AccessFrame } from '../access-frame.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { KeyList } from './key-list.tsx';

const HOME = '/access/keys';
const hrefOf = (keyId: string) => `${HOME}/${keyId}`;

/** The API keys of all accounts, so that a leaked one is found without knowing its account. */
export function ApiKeysPage({ keyId }: { keyId: string | undefined }) {
  const { keys } = useTexts().access;
  const format = useFormat();
  const list = useApiKeys();
  const { records: accounts = [] } = useAccounts();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = useMay('administrator');
  const create = () => setCreating(true);
  useOfferedCommands(mayCreate ? [{ label: keys.create, run: create }] : []);
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const active = list.records?.filter(({ state }) => state === 'active').length;
  return (
    <AccessFrame
      facts={active !== undefined && keys.facts(format.count(active, !list.isWhole))}
      actions={
        <RoleButton needs="administrator" onClick={create}>
          {keys.create}
        </RoleButton>
      }
    >
      <KeyList
        kind="client"
        list={list}
        useFound={useFoundApiKeys}
        hrefOf={({ id }) => hrefOf(id)}
        accountOf={({ accountId }) => names.get(accountId) ?? accountId}
      />
      <KeyDrawer kind="client" keyId={keyId} closeTo={HOME} hrefOf={hrefOf} />
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </AccessFrame>
  );
}
