import { Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmByName } from '../../../components/confirm-by-name.tsx';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { DEFAULT_OVERLAP_SECONDS, OverlapSelect } from '../../../components/secrets/overlap-select.tsx';
import { SecretDialog } from '../../../components/secrets/secret-dialog.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { useSessionState } from '../../../session/session-context.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useRefresh } from '../access-api.ts';
import { type AnyKey, type KeyKind, revokeKey, rotateKey } from './keys-api.ts';

interface Props {
  readonly kind: KeyKind;
  readonly found: AnyKey;
  readonly onClose: () => void;
}

export function RotateDialog({ kind, found, onClose }: Props) {
  const { keys } = useTexts().access;
  const format = useFormat();
  const refresh = useRefresh();
  const [overlap, setOverlap] = useState<number>(DEFAULT_OVERLAP_SECONDS);
  const [made, setMade] = useState<Awaited<ReturnType<typeof rotateKey>>>();
  const submit = async () => {
    setMade(await rotateKey(kind, found.id, { overlapSeconds: overlap }));
    void refresh();
  };
  if (made)
    return (
      <SecretDialog title={keys.rotatedTitle} label={keys.secret[kind]} secret={made.key} onClose={onClose}>
        <Text c="dimmed">
          {overlap === 0 || made.oldExpiresAt === null
            ? keys.oldEnded
            : keys.oldUntil(format.dateTime(new Date(made.oldExpiresAt)))}
        </Text>
      </SecretDialog>
    );
  return (
    <FormDialog
      title={keys.rotateTitle(found.name)}
      action={keys.rotateAction}
      onClose={onClose}
      onSubmit={submit}
      staysOpen
    >
      <Text>{keys.rotateHint[kind]}</Text>
      <OverlapSelect seconds={overlap} onChange={setOverlap} />
    </FormDialog>
  );
}

export function RevokeDialog({ kind, found, isOwn, onClose }: Props & { readonly isOwn: boolean }) {
  const { keys } = useTexts().access;
  const toast = useToast();
  const refresh = useRefresh();
  const { end } = useSessionState();
  const revoke = async () => {
    await revokeKey(kind, found.id);
    if (isOwn) return end();
    await refresh();
    toast.show({ message: keys.revoked(found.name) });
  };
  return (
    <ConfirmByName
      title={keys.revokeTitle(found.name)}
      name={found.name}
      action={keys.revokeAction}
      onClose={onClose}
      onConfirm={revoke}
    >
      <Text>{kind === 'management' && isOwn ? keys.revokeOwnHint : keys.revokeHint}</Text>
    </ConfirmByName>
  );
}
