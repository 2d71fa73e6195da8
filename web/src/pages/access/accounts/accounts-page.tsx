import { useState } from 'react';
import { Badge } from '../../../components/badge.tsx';
import { useOfferedCommands } from '../../../components/commands.ts';
import type { FileColumns } from '../../../components/downloads/csv.ts';
import { Quantity } from '../../../components/quantity.tsx';
import { includesWords, RecordsList } from '../../../components/records/records-list.tsx';
import type { Column, SortOrder } from '../../../components/records/table.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { IconBuildingStore } from '../../../icons/icons.tsx';
import { RoleButton } from '../../../session/role-button.tsx';
import { useMay } from '../../../session/session-context.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { AccessFrame } from '../access-frame.tsx';
import { ShopUsageChart } from '../usage/shop-usage-chart.tsx';
import { CreateAccountDialog } from './account-dialogs.tsx';
import styles from './accounts-page.module.css';
import { PlanName } from './plan-name.tsx';
import { type AccountState, useAccountStates } from './use-account-states.ts';

export function AccountsPage() {
  const { access } = useTexts();
  const format = useFormat();
  const list = useAccountStates();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = useMay('administrator');
  const create = () => setCreating(true);
  useOfferedCommands(mayCreate ? [{ label: access.accounts.create, run: create }] : []);
  const columns = useColumns();
  return (
    <AccessFrame
      facts={list.records && access.accounts.facts(format.count(list.records.length, !list.isWhole))}
      actions={
        <RoleButton needs="administrator" onClick={create}>
          {access.accounts.create}
        </RoleButton>
      }
    >
      {list.records?.length !== 0 && <ShopUsageChart />}
      <RecordsList
        list={list}
        label={access.tabs.accounts}
        columns={columns}
        keyOf={({ account }) => account.id}
        hrefOf={({ account }) => `/access/accounts/${account.id}`}
        order={BUSIEST_FIRST}
        empty={{
          icon: IconBuildingStore,
          title: access.accounts.empty,
          children: access.accounts.emptyHint,
        }}
        file={{ name: 'accounts', columns: FILE_COLUMNS }}
        search={{
          label: access.accounts.search,
          matches: ({ account: { id, name } }, words) => includesWords(words, name, id),
        }}
      />
      {list.records?.length ? <p className={styles.note}>{access.accounts.atLimitNote}</p> : null}
      {isCreating && <CreateAccountDialog onClose={() => setCreating(false)} />}
    </AccessFrame>
  );
}

const BUSIEST_FIRST: SortOrder = { by: 'today', isDescending: true };

const FILE_COLUMNS: FileColumns<AccountState> = {
  id: ({ account }) => account.id,
  name: ({ account }) => account.name,
  plan: ({ account }) => account.plan,
  perMinute: ({ account }) => account.perMinute,
  perDay: ({ account }) => account.perDay,
  createdAt: ({ account }) => account.createdAt,
  requestsLastHour: ({ lastHour }) => lastHour,
  requestsToday: ({ today }) => today,
  minutesAtLimit: ({ fullMinutes }) => fullMinutes,
  bannedKeys: ({ bans }) => bans,
  activeKeys: ({ activeKeys }) => activeKeys,
  lastUsedAt: ({ lastUsedAt }) => lastUsedAt,
};

function useColumns(): readonly Column<AccountState>[] {
  const { access, app } = useTexts();
  const { accounts: texts } = access;
  const { empty } = app.records;
  const format = useFormat();
  const whole = (value: number | null) => (value === null ? empty : <Quantity value={value} />);
  /** A number whose largest values are of interest. */
  const most = (by: string, valueOf: (state: AccountState) => number | string | null) => ({
    sort: { by, valueOf, isDescendingFirst: true },
  });
  return [
    {
      name: texts.name,
      className: styles.name,
      cell: ({ account, bans }) => (
        <>
          {account.name}
          {bans !== null && bans > 0 && (
            <span className={styles.onPhone}>
              <Badge shape="cross" tone="danger">
                {texts.banCount(format.count(bans))}
              </Badge>
            </span>
          )}
        </>
      ),
      sort: { by: 'name', valueOf: ({ account }) => account.name },
    },
    {
      name: texts.plan,
      isShort: true,
      from: 'desktop',
      cell: ({ account }) => <PlanName plan={account.plan} />,
      // Plans in the order of their limits.
      ...most('plan', ({ account }) => account.perDay),
    },
    {
      name: texts.lastHour,
      isNumber: true,
      from: 'tablet',
      cell: ({ lastHour }) => whole(lastHour),
      ...most('hour', ({ lastHour }) => lastHour),
    },
    {
      name: texts.today,
      isNumber: true,
      cell: ({ today }) => whole(today),
      ...most('today', ({ today }) => today),
    },
    {
      name: texts.share,
      isNumber: true,
      cell: ({ account, today }) =>
        today === null ? (
          empty
        ) : (
          <span className={styles.share} title={texts.ofDay(format.quantity(account.perDay))}>
            {format.percent(today / account.perDay)}
            <span className={styles.bar} aria-hidden data-full={today >= account.perDay || undefined}>
              <span style={{ width: `${Math.min(today / account.perDay, 1) * 100}%` }} />
            </span>
          </span>
        ),
      ...most('share', ({ account, today }) => (today === null ? null : today / account.perDay)),
    },
    {
      name: texts.atLimit,
      isNumber: true,
      from: 'tablet',
      cell: ({ fullMinutes }) =>
        fullMinutes ? (
          <Badge shape="triangle" tone="warning">
            {texts.minutes(format.count(fullMinutes))}
          </Badge>
        ) : (
          whole(fullMinutes)
        ),
      ...most('limit', ({ fullMinutes }) => fullMinutes),
    },
    {
      name: texts.bans,
      isNumber: true,
      from: 'tablet',
      cell: ({ bans }) =>
        bans ? (
          <Badge shape="cross" tone="danger">
            {format.quantity(bans)}
          </Badge>
        ) : (
          whole(bans)
        ),
      ...most('bans', ({ bans }) => bans),
    },
    {
      name: texts.keys,
      isNumber: true,
      from: 'desktop',
      cell: ({ activeKeys }) => whole(activeKeys),
      ...most('keys', ({ activeKeys }) => activeKeys),
    },
    {
      name: texts.lastUsed,
      from: 'desktop',
      cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : empty),
      ...most('used', ({ lastUsedAt }) => lastUsedAt),
    },
  ];
}
