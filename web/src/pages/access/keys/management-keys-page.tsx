import { Radio, Stack } from '@mantine/core';
import { ROLES } from '@petstore-inventory/shared/words';
import { useState } from 'react';
import type { Role } from '../../../api/schemas.ts';
import { useFoundManagementKeys, useManagementKeys } from '../../../components/accounts/use-keys.ts';
import { useOfferedCommands } from '../../../components/commands.ts';
import { RoleButton } from '../../../session/role-button.tsx';
import { useMay } from '../../../session/session-context.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { AccessFrame } from '../access-frame.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { KeyList } from './key-list.tsx';
import { createManagementKey } from './keys-api.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';

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
      facts={active !== undefined && keys.facts(format.count(active, !list.isWhole))}
      actions={
        <RoleButton needs="administrator" onClick={create}>
          {keys.create}
        </RoleButton>
      }
    >
      <KeyList
        kind="management"
        list={list}
        useFound={useFoundManagementKeys}
        hrefOf={({ id }) => hrefOf(id)}
      />
      <KeyDrawer kind="management" keyId={keyId} closeTo={HOME} hrefOf={hrefOf} />
      {isCreating && <CreateManagementKeyDialog onClose={() => setCreating(false)} />}
    </AccessFrame>
  );
}

function CreateManagementKeyDialog({ onClose }: { onClose: () => void }) {
  const {
    app: { roles },
    access: { keys },
  } = useTexts();
  const [role, setRole] = useState<Role>('staff');
  return (
    <NewKeyDialog
      kind="management"
      nameHint={keys.personHint}
      onClose={onClose}
      onCreate={(key) => createManagementKey({ ...key, role })}
    >
      <Radio.Group label={keys.role} value={role} onChange={(next) => setRole(next as Role)}>
        <Stack gap={8} mt={4}>
          {ROLES.map((each) => (
            <Radio key={each} value={each} label={roles[each]} description={keys.roleHints[each]} />
          ))}
        </Stack>
      </Radio.Group>
    </NewKeyDialog>
  );
}
