import { useState } from 'react';
import type { Account, Key } from '../../../api/schemas.ts';
import { useAccounts } from '../../../components/accounts/use-accounts.ts';
import { useOfferedCommands } from '../../../components/commands.ts';
import type { FileColumns } from '../../../components/downloads/csv.ts';
import { Quantity } from '../../../components/quantity.tsx';
import { includesWords, RecordsList } from '../../../components/records/records-list.tsx';
import type { Column } from '../../../components/records/table.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { IconBuildingStore } from '../../../icons/icons.tsx';
import { RoleButton } from '../../../session/role-button.tsx';
import { useMay } from '../../../session/session-context.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useApiKeys } from '../access-api.ts';
import { AccessFrame } from '../access-frame.tsx';
import { CreateAccountDialog } from './account-dialogs.tsx';
import { PlanName } from './plan-name.tsx';

export function AccountsPage() {
  const { access } = useTexts();
  const format = useFormat();
  const list = useAccounts();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = useMay('administrator');
  const create = () => setCreating(true);
  useOfferedCommands(mayCreate ? [{ label: access.accounts.create, run: create }] : []);
  const columns = useColumns();
  return (
    <AccessFrame
      facts={list.records && access.accounts.facts(format.count(list.records.length))}
      actions={
        <RoleButton needs="administrator" onClick={create}>
          {access.accounts.create}
        </RoleButton>
      }
    >
      <RecordsList
        list={list}
        label={access.tabs.accounts}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/access/accounts/${id}`}
        empty={{
          icon: IconBuildingStore,
          title: access.accounts.empty,
          children: access.accounts.emptyHint,
        }}
        file={{ name: 'accounts', columns: FILE_COLUMNS }}
        search={{
          label: access.accounts.search,
          matches: ({ id, name }, words) => includesWords(words, name, id),
        }}
      />
      {isCreating && <CreateAccountDialog onClose={() => setCreating(false)} />}
    </AccessFrame>
  );
}

const FILE_COLUMNS: FileColumns<Account> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  plan: ({ plan }) => plan,
  perMinute: ({ perMinute }) => perMinute,
  perDay: ({ perDay }) => perDay,
  createdAt: ({ createdAt }) => createdAt,
};

function useColumns(): readonly Column<Account>[] {
  const { access, app } = useTexts();
  const { records: keys } = useApiKeys();
  const keysOf = Map.groupBy(keys ?? [], ({ accountId }) => accountId);
  return [
    { name: access.accounts.name, cell: ({ name }) => name },
    { name: access.accounts.plan, isShort: true, cell: ({ plan }) => <PlanName plan={plan} /> },
    {
      name: access.accounts.perMinute,
      isNumber: true,
      from: 'tablet',
      cell: ({ perMinute }) => <Quantity value={perMinute} />,
    },
    {
      name: access.accounts.perDay,
      isNumber: true,
      from: 'tablet',
      cell: ({ perDay }) => <Quantity value={perDay} />,
    },
    {
      name: access.accounts.keys,
      isNumber: true,
      cell: ({ id }) =>
        keys && <Quantity value={keysOf.get(id)?.filter(({ state }) => state === 'active').length ?? 0} />,
    },
    {
      name: access.accounts.lastUsed,
      from: 'tablet',
      cell: ({ id }) => {
        const lastUsedAt = lastUse(keysOf.get(id) ?? []);
        return lastUsedAt ? <RelativeTime at={lastUsedAt} /> : app.records.empty;
      },
    },
    {
      name: access.accounts.since,
      from: 'desktop',
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ];
}

/** When the newest request of all these keys came. */
function lastUse(keys: readonly Key[]): string | undefined {
  return keys
    .map(({ lastUsedAt }) => lastUsedAt)
    .filter((moment) => moment !== null)
    .toSorted()
    .at(-1);
}
