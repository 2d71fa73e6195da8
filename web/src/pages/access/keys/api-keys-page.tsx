import { useAccounts } from '../../../components/accounts/use-accounts.ts';
import { useApiKeys, useFoundApiKeys } from '../../../components/accounts/use-keys.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeysPage } from './keys-page.tsx';

/** The API keys of all accounts, so that a leaked one is found without knowing its account. */
export function ApiKeysPage({ keyId }: { keyId: string | undefined }) {
  const { records: accounts = [] } = useAccounts();
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  return (
    <KeysPage
      kind="client"
      home="/access/keys"
      keyId={keyId}
      list={useApiKeys()}
      useFound={useFoundApiKeys}
      accountOf={({ accountId }) => names.get(accountId) ?? accountId}
      dialog={(onClose) => <CreateKeyDialog onClose={onClose} />}
    />
  );
}
