import { DAY_MS } from '@petstore-inventory/shared/durations';
import type { Column } from '../../../components/records/table.tsx';
import { RelativeTime, useNow } from '../../../components/relative-time.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useBans } from '../access-api.ts';
import { KeyBadge } from './key-badge.tsx';
import styles from './key-list.module.css';
import { KeyName } from './key-name.tsx';
import type { AnyKey, KeyKind } from './keys-api.ts';
import { RoleName } from './role-name.tsx';
import { SCOPES } from './scopes.ts';

/** Keys that expire sooner are marked. */
const SOON_MS = 7 * DAY_MS;

export function useKeyColumns<T extends AnyKey>(
  kind: KeyKind,
  accountOf?: (key: T) => string,
): readonly Column<T>[] {
  const {
    access: { keys, scopes },
  } = useTexts();
  const format = useFormat();
  const { records: bans = [] } = useBans();
  const banned = new Set(bans.map(({ keyId }) => keyId));
  const scopesOf = (count: number) =>
    count === SCOPES.length
      ? scopes.all
      : scopes.count(format.quantity(count), format.quantity(SCOPES.length));
  return [
    {
      name: keys.name,
      cell: ({ name, hint }) => <KeyName name={name} hint={hint} />,
    },
    ...(accountOf ? [{ name: keys.account, cell: accountOf, from: 'tablet' as const }] : []),
    { name: keys.state, cell: ({ id, state }) => <KeyBadge state={state} isBanned={banned.has(id)} /> },
    {
      name: kind === 'client' ? keys.scopes : keys.role,
      from: 'desktop',
      cell: (key) => ('role' in key ? <RoleName role={key.role} /> : scopesOf(key.scopes.length)),
    },
    {
      name: keys.lastUsed,
      from: 'tablet',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? keys.never : <RelativeTime at={lastUsedAt} />),
    },
    {
      name: keys.expires,
      from: 'tablet',
      cell: ({ expiresAt }) => (expiresAt === null ? keys.never : <Expiry at={expiresAt} />),
    },
    {
      name: keys.created,
      from: 'desktop',
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ];
}

function Expiry({ at }: { at: string }) {
  const leftMs = Date.parse(at) - useNow();
  return (
    <span className={leftMs > 0 && leftMs < SOON_MS ? styles.soon : undefined}>
      <RelativeTime at={at} />
    </span>
  );
}
