import { Text } from '@mantine/core';
import { ConfirmByName } from '../../../components/confirm-by-name.tsx';
import { RotateDialog } from '../../../components/secrets/rotate-dialog.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { useSessionState } from '../../../session/session-context.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { useRefresh } from '../access-api.ts';
import { type AnyKey, type KeyKind, revokeKey, rotateKey } from './keys-api.ts';

interface Props {
  readonly kind: KeyKind;
  readonly found: AnyKey;
  readonly onClose: () => void;
}

export function RotateKeyDialog({ kind, found, onClose }: Props) {
  const { keys } = useTexts().access;
  const refresh = useRefresh();
  const rotate = async (overlapSeconds: number) => {
    const { key, oldExpiresAt } = await rotateKey(kind, found.id, { overlapSeconds });
    void refresh();
    return { secret: key, oldUntil: oldExpiresAt };
  };
  return (
    <RotateDialog
      title={keys.rotateTitle(found.name)}
      texts={keys}
      hint={keys.rotateHint[kind]}
      label={keys.secret[kind]}
      onRotate={rotate}
      onClose={onClose}
    />
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
