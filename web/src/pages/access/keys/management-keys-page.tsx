import { Radio, Stack } from '@mantine/core';
import { ROLES } from '@petstore-inventory/shared/words';
import { useState } from 'react';
import type { Role } from '../../../api/schemas.ts';
import { useFoundManagementKeys, useManagementKeys } from '../../../components/accounts/use-keys.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { createManagementKey } from './keys-api.ts';
import { KeysPage } from './keys-page.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';

/** The keys that sign in to the dashboard. */
export function ManagementKeysPage({ keyId }: { keyId: string | undefined }) {
  return (
    <KeysPage
      kind="management"
      home="/access/management-keys"
      keyId={keyId}
      list={useManagementKeys()}
      useFound={useFoundManagementKeys}
      dialog={(onClose) => <CreateManagementKeyDialog onClose={onClose} />}
    />
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
