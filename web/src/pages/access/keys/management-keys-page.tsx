import { useState } from 'react';
import { useOfferedCommands } from '../../../components/commands.ts';
import { RoleButton } from '../../../session/role-button.tsx';
import { useMay } from '../../../session/session-context.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useManagementKeys } from '../access-api.ts';
import { AccessFrame } from '../access-frame.tsx';
import { CreateManagementKeyDialog } from './create-management-key-dialog.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { KeyList } from './key-list.tsx';

const HOME = '/access/management-keys';
const hrefOf = (keyId: string) => `${HOME}/${keyId}`;

/** The keys that sign in to the dashboard. */
export function ManagementKeysPage({ keyId }: { keyId: string | undefined }) {
  const { keys } = useTexts().access;
  const format = useFormat();
  const list = useManagementKeys();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = useMay('administrator');
  const create = () => setCreating(true);
  useOfferedCommands(mayCreate ? [{ label: keys.create, run: create }] : []);
  const active = list.records?.filter(({ state }) => state === 'active').length;
  return (
    <AccessFrame
      facts={active !== undefined && keys.facts(format.count(active))}
      actions={
        <RoleButton needs="administrator" onClick={create}>
          {keys.create}
        </RoleButton>
      }
    >
      <KeyList kind="management" list={list} hrefOf={({ id }) => hrefOf(id)} />
      <KeyDrawer kind="management" keyId={keyId} closeTo={HOME} hrefOf={hrefOf} />
      {isCreating && <CreateManagementKeyDialog onClose={() => setCreating(false)} />}
    </AccessFrame>
  );
}
