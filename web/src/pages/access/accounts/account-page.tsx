import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { Account } from '../../../api/schemas.ts';
import { useHotkeys } from '../../../components/hotkeys/hotkey-provider.tsx';
import { PageBody } from '../../../components/page/page-body.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Identifier } from '../../../components/records/identifier.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { PageSkeleton } from '../../../components/states/page-skeleton.tsx';
import { RoleButton } from '../../../session/role-button.tsx';
import { useMay } from '../../../session/session-context.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useAccount, useApiKeysOf } from '../access-api.ts';
import { CreateKeyDialog } from '../keys/create-key-dialog.tsx';
import { KeyDrawer } from '../keys/key-drawer.tsx';
import { KeyList } from '../keys/key-list.tsx';
import { UsagePanel } from '../usage/usage-panel.tsx';
import { EditAccountDialog } from './account-dialogs.tsx';
import styles from './account-page.module.css';
import { PlanName } from './plan-name.tsx';

export function AccountPage({ accountId, keyId }: { accountId: string; keyId: string | undefined }) {
  const { access } = useTexts();
  const { data: account, error, refetch } = useAccount(accountId);
  if (account) return <LoadedAccount account={account} keyId={keyId} />;
  if (!error) return <PageSkeleton />;
  return (
    <>
      <PageHeader title={accountId} parent={{ href: '/access', label: access.tabs.accounts }} />
      <ErrorState error={error} onRetry={() => void refetch()} />
    </>
  );
}

function LoadedAccount({ account, keyId }: { account: Account; keyId: string | undefined }) {
  const { access } = useTexts();
  const format = useFormat();
  const [dialog, setDialog] = useState<'edit' | 'key'>();
  const isAdministrator = useMay('administrator');
  const keys = useApiKeysOf(account.id);
  const home = `/access/accounts/${account.id}`;
  const close = () => setDialog(undefined);
  useHotkeys(access.tabs.accounts, [
    { keys: 'e', label: access.accounts.edit, run: () => (isAdministrator ? setDialog('edit') : false) },
  ]);
  return (
    <>
      <PageHeader
        title={account.name}
        parent={{ href: '/access', label: access.tabs.accounts }}
        facts={
          <>
            <PlanName plan={account.plan} />
            {': '}
            {access.accounts.limitsOf(format.quantity(account.perMinute), format.quantity(account.perDay))}
          </>
        }
        actions={
          <>
            {isAdministrator && (
              <Button variant="default" onClick={() => setDialog('edit')}>
                {access.accounts.edit}
              </Button>
            )}
            <RoleButton needs="administrator" onClick={() => setDialog('key')}>
              {access.keys.create}
            </RoleButton>
          </>
        }
      />
      <PageBody>
        <UsagePanel account={account} />
        <section aria-labelledby="account-keys" className={styles.section}>
          <h2 id="account-keys" className={styles.title}>
            {access.tabs.keys}
          </h2>
          <KeyList kind="client" list={keys} hrefOf={({ id }) => `${home}/${id}`} />
        </section>
        <Group gap={4} c="dimmed">
          {access.keys.id}
          <Identifier id={account.id} label={access.keys.id} />
        </Group>
      </PageBody>
      <KeyDrawer kind="client" keyId={keyId} closeTo={home} hrefOf={(id) => `${home}/${id}`} />
      {dialog === 'edit' && <EditAccountDialog account={account} onClose={close} />}
      {dialog === 'key' && <CreateKeyDialog accountId={account.id} onClose={close} />}
    </>
  );
}
