import { Radio, Stack } from '@mantine/core';
import { ROLES } from '@petstore-inventory/shared/words';
import { useState } from 'react';
import type { Role } from '../../../api/schemas.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { createManagementKey } from './keys-api.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';

export function CreateManagementKeyDialog({ onClose }: { onClose: () => void }) {
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
