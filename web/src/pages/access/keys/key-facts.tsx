import { Link } from 'wouter';
import { Facts } from '../../../components/records/facts.tsx';
import { Code, Identifier } from '../../../components/records/identifier.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { useAccount, useBans } from '../access-api.ts';
import { KeyBadge } from './key-badge.tsx';
import type { AnyKey } from './keys-api.ts';
import { RoleName } from './role-name.tsx';
import { SCOPES } from './scopes.ts';

export function KeyFacts({ found, hrefOf }: { found: AnyKey; hrefOf: (keyId: string) => string }) {
  const { keys } = useTexts().access;
  const { records: bans = [] } = useBans();
  const time = (at: string | null) => (at === null ? keys.never : <RelativeTime at={at} />);
  return (
    <Facts
      facts={[
        [keys.name, <strong key="name">{found.name}</strong>],
        [keys.key, <Code key="hint">{found.hint}</Code>],
        [keys.id, <Identifier key="id" id={found.id} label={keys.id} />],
        [
          keys.state,
          <KeyBadge
            key="state"
            state={found.state}
            isBanned={bans.some(({ keyId }) => keyId === found.id)}
          />,
        ],
        ...('role' in found
          ? ([[keys.role, <RoleName key="role" role={found.role} />]] as const)
          : ([
              [keys.account, <AccountLink key="account" accountId={found.accountId} />],
              [keys.scopes, <Scopes key="scopes" scopes={found.scopes} />],
            ] as const)),
        [keys.created, time(found.createdAt)],
        [keys.lastUsed, time(found.lastUsedAt)],
        [keys.expires, time(found.expiresAt)],
        [keys.revokedAt, found.revokedAt === null ? undefined : time(found.revokedAt)],
        [
          keys.replaces,
          found.rotatedFrom === null ? undefined : (
            <Link key="from" href={hrefOf(found.rotatedFrom)}>
              {keys.replacedKey}
            </Link>
          ),
        ],
      ]}
    />
  );
}

function AccountLink({ accountId }: { accountId: string }) {
  const { data: account } = useAccount(accountId);
  return <Link href={`/access/accounts/${accountId}`}>{account?.name ?? accountId}</Link>;
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  const { all } = useTexts().access.scopes;
  if (SCOPES.every((scope) => scopes.includes(scope))) return all;
  return scopes.map((scope) => <Code key={scope}>{scope}</Code>);
}
