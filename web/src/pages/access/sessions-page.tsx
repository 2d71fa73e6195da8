import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Session } from '../../api/schemas.ts';
import { Badge } from '../../components/badge.tsx';
import { RecordsList } from '../../components/records/records-list.tsx';
import type { Column } from '../../components/records/table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useMay, useSessionState } from '../../session/session-context.tsx';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import { endSession, useRefresh, useSessions } from './access-api.ts';
import { AccessFrame } from './access-frame.tsx';
import { RoleName } from './keys/role-name.tsx';
import styles from './sessions-page.module.css';

export function SessionsPage() {
  const {
    app: {
      records: { actions },
    },
    access: { sessions: texts, tabs },
  } = useTexts();
  const format = useFormat();
  const seesAll = useMay('administrator');
  const list = useSessions();
  const sessions = list.records?.toSorted(currentFirst);
  const columns: readonly Column<Session>[] = [
    {
      name: texts.name,
      cell: ({ name, isCurrent }) => (
        <span className={styles.who}>
          <strong>{name}</strong>
          {isCurrent && (
            <Badge shape="dot" tone="accent">
              {texts.current}
            </Badge>
          )}
        </span>
      ),
    },
    { name: texts.role, from: 'tablet', cell: ({ role }) => <RoleName role={role} /> },
    { name: texts.began, from: 'desktop', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { name: texts.lastUsed, from: 'tablet', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
    {
      name: texts.ends,
      from: 'tablet',
      cell: ({ idleExpiresAt }) => <RelativeTime at={idleExpiresAt} />,
    },
    { name: actions, isNumber: true, isActions: true, cell: (session) => <EndButton session={session} /> },
  ];
  return (
    <AccessFrame
      facts={
        sessions && (seesAll ? texts.facts(format.count(sessions.length, !list.isWhole)) : texts.ownOnly)
      }
    >
      <RecordsList
        list={{ ...list, records: sessions }}
        label={tabs.sessions}
        columns={columns}
        keyOf={({ sessionId }) => sessionId}
      />
    </AccessFrame>
  );
}

function currentFirst(a: Session, b: Session): number {
  return Number(b.isCurrent) - Number(a.isCurrent) || b.createdAt.localeCompare(a.createdAt);
}

function EndButton({ session: { sessionId, name, isCurrent } }: { session: Session }) {
  const { sessions } = useTexts().access;
  const errorText = useErrorText();
  const toast = useToast();
  const refresh = useRefresh();
  const { end: leave } = useSessionState();
  const end = useMutation({
    mutationFn: () => endSession(sessionId),
    onSuccess: async () => {
      if (isCurrent) return leave();
      await refresh();
      toast.show({ message: sessions.ended(name) });
    },
    onError: (error) => toast.show({ message: errorText(error), isError: true }),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={end.isPending}
      onClick={() => end.mutate()}
      aria-label={isCurrent ? undefined : sessions.endOne(name)}
    >
      {isCurrent ? sessions.signOut : sessions.end}
    </Button>
  );
}
