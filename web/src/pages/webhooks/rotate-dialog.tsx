import { Text } from '@mantine/core';
import { useState } from 'react';
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '../../api/schemas.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { DEFAULT_OVERLAP_SECONDS, OverlapSelect } from '../../components/secrets/overlap-select.tsx';
import { SecretDialog } from '../../components/secrets/secret-dialog.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { rotateSecret, useRefresh } from './webhooks-api.ts';

interface Props {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}

export function RotateSecretDialog({ endpoint, onClose }: Props) {
  const { webhooks } = useTexts();
  const format = useFormat();
  const refresh = useRefresh();
  const rotatedUntil = endpoint.previousSecretExpiresAt;
  // The service refuses a second overlap: it would end the secret that the receiver has.
  const [overlap, setOverlap] = useState<number>(rotatedUntil === null ? DEFAULT_OVERLAP_SECONDS : 0);
  const [made, setMade] = useState<WebhookEndpointWithSecret>();
  const submit = async () => {
    setMade(await rotateSecret(endpoint.id, overlap));
    void refresh();
  };
  if (made) {
    const { previousSecretExpiresAt } = made.endpoint;
    return (
      <SecretDialog
        title={webhooks.rotatedTitle}
        label={webhooks.secret}
        secret={made.secret}
        onClose={onClose}
      >
        <Text c="dimmed">
          {overlap === 0 || previousSecretExpiresAt === null
            ? webhooks.oldEnded
            : webhooks.oldUntil(format.dateTime(new Date(previousSecretExpiresAt)))}
        </Text>
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title={webhooks.rotate}
      action={webhooks.rotateAction}
      onClose={onClose}
      onSubmit={submit}
      staysOpen
    >
      {rotatedUntil === null ? (
        <>
          <Text>{webhooks.rotateHint}</Text>
          <OverlapSelect seconds={overlap} onChange={setOverlap} />
        </>
      ) : (
        <Text>{webhooks.rotatedBefore(format.dateTime(new Date(rotatedUntil)))}</Text>
      )}
    </FormDialog>
  );
}
