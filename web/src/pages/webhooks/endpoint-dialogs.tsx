import { Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type {
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointWithSecret,
} from '../../api/schemas.ts';
import { AccountSelect } from '../../components/accounts/account-select.tsx';
import { ConfirmByName } from '../../components/confirm-by-name.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useForm } from '../../components/dialogs/use-form.ts';
import { useRecordEdit } from '../../components/dialogs/use-record-edit.ts';
import { useTwinQuestion } from '../../components/dialogs/use-twin-question.ts';
import { RotateDialog } from '../../components/secrets/rotate-dialog.tsx';
import { SecretDialog } from '../../components/secrets/secret-dialog.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { bodyOf, EndpointFields, NO_VALUES, valuesOf } from './endpoint-fields.tsx';
import { hostOf } from './endpoint-state.tsx';
import {
  createEndpoint,
  deleteEndpoint,
  PATH,
  readEndpoint,
  rotateSecret,
  updateEndpoint,
  useRefresh,
} from './webhooks-api.ts';

export function CreateEndpointDialog({ onClose }: { onClose: () => void }) {
  const { webhooks } = useTexts();
  const refresh = useRefresh();
  const [, navigate] = useLocation();
  const [accountId, setAccountId] = useState<string | null>(null);
  const form = useForm(NO_VALUES);
  const [made, setMade] = useState<WebhookEndpointWithSecret>();
  const body = bodyOf(form.values);
  const askAboutTwins = useTwinQuestion();
  const submit = async () => {
    if (!body || accountId === null) return;
    await askAboutTwins<WebhookEndpoint>({
      path: PATH,
      query: { accountId },
      isTwin: ({ url }) => url === body.url,
      madeAt: ({ createdAt }) => createdAt,
      name: body.url,
    });
    setMade(await createEndpoint({ accountId, ...body }));
    void refresh();
  };
  if (made)
    return (
      <SecretDialog
        title={webhooks.readyTitle}
        label={webhooks.secret}
        secret={made.secret}
        onClose={() => navigate(`/webhooks/${made.endpoint.id}`)}
      >
        <Text c="dimmed">{webhooks.secretHint}</Text>
      </SecretDialog>
    );
  return (
    <FormDialog
      title={webhooks.create}
      action={webhooks.createAction}
      isReady={body !== undefined && accountId !== null}
      size={560}
      onClose={onClose}
      onSubmit={submit}
      staysOpen
    >
      <AccountSelect value={accountId} onChange={setAccountId} />
      <EndpointFields form={form} />
    </FormDialog>
  );
}

interface Props {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}

export function EditEndpointDialog({ endpoint, onClose }: Props) {
  const { webhooks } = useTexts();
  const toast = useToast();
  const refresh = useRefresh();
  const form = useForm(() => valuesOf(endpoint));
  const edit = useRecordEdit(recordOf(endpoint), async () => recordOf(await readEndpoint(endpoint.id)), {
    url: webhooks.url,
    description: webhooks.description,
    types: webhooks.events,
    petIds: webhooks.pets,
    statuses: webhooks.statuses,
  });
  const body = bodyOf(form.values);
  const submit = async () => {
    if (!body) return;
    const { changes, before } = await edit(recordOf(body));
    if (Object.keys(changes).length === 0) return;
    await updateEndpoint(endpoint.id, changes);
    await refresh();
    toast.show({
      message: webhooks.saved,
      undo: async () => {
        await updateEndpoint(endpoint.id, before);
        await refresh();
      },
    });
  };
  return (
    <FormDialog
      title={webhooks.editTitle}
      action={webhooks.save}
      isReady={body !== undefined}
      size={560}
      onClose={onClose}
      onSubmit={submit}
    >
      <EndpointFields form={form} />
    </FormDialog>
  );
}

type Settings = Required<WebhookEndpointChanges>;
const recordOf = ({ url, description, types, petIds, statuses }: Settings): Settings => ({
  url,
  description,
  types,
  petIds,
  statuses,
});

export function RotateSecretDialog({ endpoint, onClose }: Props) {
  const { webhooks } = useTexts();
  const format = useFormat();
  const refresh = useRefresh();
  const rotatedUntil = endpoint.previousSecretExpiresAt;
  const rotate = async (overlap: number) => {
    const made = await rotateSecret(endpoint.id, overlap);
    void refresh();
    return { secret: made.secret, oldUntil: made.endpoint.previousSecretExpiresAt };
  };
  return (
    <RotateDialog
      title={webhooks.rotate}
      texts={webhooks}
      hint={
        rotatedUntil === null
          ? webhooks.rotateHint
          : webhooks.rotatedBefore(format.dateTime(new Date(rotatedUntil)))
      }
      label={webhooks.secret}
      hasOverlap={rotatedUntil === null}
      onRotate={rotate}
      onClose={onClose}
    />
  );
}

export function DeleteEndpointDialog({ endpoint, onClose }: Props) {
  const { webhooks } = useTexts();
  const toast = useToast();
  const refresh = useRefresh();
  const [, navigate] = useLocation();
  const remove = async () => {
    await deleteEndpoint(endpoint.id);
    navigate('/webhooks');
    void refresh();
    toast.show({ message: webhooks.removed });
  };
  return (
    <ConfirmByName
      title={webhooks.removeTitle}
      name={hostOf(endpoint.url)}
      action={webhooks.removeAction}
      onClose={onClose}
      onConfirm={remove}
    >
      <Text>{webhooks.removeHint}</Text>
    </ConfirmByName>
  );
}
