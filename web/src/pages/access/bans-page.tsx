import type { RunningBan } from '../../api/schemas.ts';
import { useApiKeys } from '../../components/accounts/use-keys.ts';
import { Quantity } from '../../components/quantity.tsx';
import { RecordsList } from '../../components/records/records-list.tsx';
import type { Column } from '../../components/records/table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { IconShieldCheck } from '../../icons/icons.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { useBans } from './access-api.ts';
import { AccessFrame } from './access-frame.tsx';
import { LiftBanButton } from './keys/ban-notice.tsx';
import { KeyName } from './keys/key-name.tsx';

export function BansPage() {
  const {
    app: {
      records: { actions },
    },
    access: { bans: texts, tabs },
  } = useTexts();
  const format = useFormat();
  const list = useBans();
  const { records: keys = [] } = useApiKeys();
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const columns: readonly Column<RunningBan>[] = [
    {
      name: texts.key,
      cell: ({ keyId, hint }) => <KeyName name={names.get(keyId)} hint={hint} />,
    },
    { name: texts.account, cell: ({ account }) => account, from: 'tablet' },
    { name: texts.level, isNumber: true, from: 'desktop', cell: ({ level }) => <Quantity value={level} /> },
    { name: texts.began, from: 'tablet', cell: ({ bannedAt }) => <RelativeTime at={bannedAt} /> },
    { name: texts.ends, cell: ({ endsAt }) => <RelativeTime at={endsAt} /> },
    {
      name: actions,
      isNumber: true,
      isActions: true,
      cell: ({ keyId, hint }) => <LiftBanButton keyId={keyId} hint={hint} />,
    },
  ];
  return (
    <AccessFrame facts={list.records && texts.facts(format.count(list.records.length, !list.isWhole))}>
      <RecordsList
        list={list}
        label={tabs.bans}
        columns={columns}
        keyOf={({ keyId }) => keyId}
        hrefOf={({ keyId }) => `/access/keys/${keyId}`}
        empty={{ icon: IconShieldCheck, title: texts.empty, children: texts.emptyHint }}
      />
    </AccessFrame>
  );
}
