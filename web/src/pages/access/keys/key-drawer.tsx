import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { RecordsState } from '../../../components/records/records-state.tsx';
import { RouteDrawer } from '../../../components/route-drawer.tsx';
import { useMay, useSession } from '../../../session/session-context.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { BanNotice } from './ban-notice.tsx';
import { RevokeDialog, RotateKeyDialog } from './key-dialogs.tsx';
import { KeyFacts } from './key-facts.tsx';
import { type AnyKey, type KeyKind, useKey } from './keys-api.ts';

interface Props {
  readonly kind: KeyKind;
  readonly keyId: string | undefined;
  readonly closeTo: string;
  /** The address of another key, such as the one that this key replaces. */
  readonly hrefOf: (keyId: string) => string;
}

/** A key with all that is known of it, except its secret. */
export function KeyDrawer({ kind, keyId, closeTo, hrefOf }: Props) {
  const { keys } = useTexts().access;
  return (
    <RouteDrawer
      title={keys.secret[kind]}
      name={keys.secret[kind]}
      isOpen={keyId !== undefined}
      closeTo={closeTo}
    >
      {keyId !== undefined && <KeyDetails key={keyId} kind={kind} keyId={keyId} hrefOf={hrefOf} />}
    </RouteDrawer>
  );
}

function KeyDetails({
  kind,
  keyId,
  hrefOf,
}: {
  kind: KeyKind;
  keyId: string;
  hrefOf: (id: string) => string;
}) {
  const { data: found, error, refetch } = useKey(kind, keyId);
  return (
    <RecordsState isLoading={found === undefined} error={error} onRetry={() => void refetch()}>
      {found && (
        <Stack gap={16}>
          <BanNotice keyId={keyId} />
          <OwnKeyNotice keyId={keyId} />
          <KeyFacts found={found} hrefOf={hrefOf} />
          <KeyActions kind={kind} found={found} />
        </Stack>
      )}
    </RecordsState>
  );
}

function OwnKeyNotice({ keyId }: { keyId: string }) {
  const { keys } = useTexts().access;
  const isOwn = useSession().keyId === keyId;
  return isOwn && <Text c="dimmed">{keys.own}</Text>;
}

function KeyActions({ kind, found }: { kind: KeyKind; found: AnyKey }) {
  const { keys } = useTexts().access;
  const isAdministrator = useMay('administrator');
  const isOwn = useSession().keyId === found.id;
  const [dialog, setDialog] = useState<'rotate' | 'revoke'>();
  const close = () => setDialog(undefined);
  return (
    <>
      {isAdministrator && found.state === 'active' && (
        <Group gap={8}>
          <Button variant="default" onClick={() => setDialog('rotate')}>
            {keys.rotate}
          </Button>
          <Button variant="default" c="var(--danger)" onClick={() => setDialog('revoke')}>
            {keys.revoke}
          </Button>
        </Group>
      )}
      {/* Also after the key has ended, because the dialog shows the secret of the new one. */}
      {dialog === 'rotate' && <RotateKeyDialog kind={kind} found={found} onClose={close} />}
      {dialog === 'revoke' && <RevokeDialog kind={kind} found={found} isOwn={isOwn} onClose={close} />}
    </>
  );
}
