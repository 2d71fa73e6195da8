import { ActionIcon, Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../api/schemas.ts';
import { useOfferedCommands } from '../../components/commands.ts';
import { useHotkeys } from '../../components/hotkeys/hotkey-provider.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { IconDots, IconPencil } from '../../icons/icons.tsx';
import { RoleButton } from '../../session/role-button.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useErrorText, useTexts } from '../../texts/texts-context.tsx';
import { DeleteEndpointDialog, EditEndpointDialog, RotateSecretDialog } from './endpoint-dialogs.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';
import { pauseEndpoint, resumeEndpoint, testEndpoint, useRefresh } from './webhooks-api.ts';

const DIALOGS = {
  edit: EditEndpointDialog,
  rotate: RotateSecretDialog,
  replay: ReplayDialog,
  remove: DeleteEndpointDialog,
} as const;
type DialogName = keyof typeof DIALOGS;

export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { webhooks } = useTexts();
  const refresh = useRefresh();
  const isAdministrator = useMay('administrator');
  const [dialog, setDialog] = useState<DialogName>();
  const test = useMutation({ mutationFn: () => testEndpoint(endpoint.id), onSettled: refresh });
  const open = (name: DialogName) => () => setDialog(name);
  useHotkeys(webhooks.table, [
    { keys: 'e', label: webhooks.edit, run: () => (isAdministrator ? setDialog('edit') : false) },
  ]);
  useOfferedCommands(
    isAdministrator
      ? [
          { label: webhooks.test, run: () => test.mutate() },
          { label: webhooks.replay, run: open('replay') },
          { label: webhooks.rotate, run: open('rotate') },
        ]
      : [],
  );
  const Dialog = dialog && DIALOGS[dialog];
  return (
    <>
      {isAdministrator && (
        <>
          <MoreMenu onOpen={setDialog} />
          <Button
            variant="default"
            data-compact
            leftSection={<IconPencil size={16} stroke={1.75} />}
            onClick={open('edit')}
          >
            {webhooks.edit}
          </Button>
          <PauseButton endpoint={endpoint} />
        </>
      )}
      <RoleButton needs="administrator" onClick={() => test.mutate()}>
        {webhooks.test}
      </RoleButton>
      {Dialog && <Dialog endpoint={endpoint} onClose={() => setDialog(undefined)} />}
      {!test.isIdle && <TestDialog test={test} />}
    </>
  );
}

function MoreMenu({ onOpen }: { onOpen: (name: DialogName) => void }) {
  const { webhooks } = useTexts();
  return (
    <Menu position="bottom-end" withinPortal={false} width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={webhooks.more}>
          <IconDots size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onOpen('replay')}>{webhooks.replay}</Menu.Item>
        <Menu.Item onClick={() => onOpen('rotate')}>{webhooks.rotate}</Menu.Item>
        <Menu.Divider />
        <Menu.Item c="var(--danger)" onClick={() => onOpen('remove')}>
          {webhooks.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function PauseButton({ endpoint: { id, pausedAt } }: { endpoint: WebhookEndpoint }) {
  const { webhooks } = useTexts();
  const errorText = useErrorText();
  const toast = useToast();
  const refresh = useRefresh();
  const isPaused = pausedAt !== null;
  const change = useMutation({
    mutationFn: () => (isPaused ? resumeEndpoint(id) : pauseEndpoint(id)),
    onSuccess: async () => {
      await refresh();
      toast.show({
        message: isPaused ? webhooks.resumed : webhooks.paused,
        undo: async () => {
          await (isPaused ? pauseEndpoint(id) : resumeEndpoint(id));
          await refresh();
        },
      });
    },
    onError: (error) => toast.show({ message: errorText(error), isError: true }),
  });
  return (
    <Button
      variant="default"
      loading={change.isPending}
      // The second click of a double click would do the opposite.
      onClick={({ detail }) => detail <= 1 && change.mutate()}
    >
      {isPaused ? webhooks.resume : webhooks.pause}
    </Button>
  );
}
