import type { Role } from '../../api/schemas.ts';
import { IconLock } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { EmptyState } from './empty-state.tsx';

/** Stands in the place of what the person's role may not see. */
export function NoPermission({ role }: { role: Role }) {
  const { states, roles } = useTexts().app;
  return (
    <EmptyState icon={IconLock} title={states.noPermission}>
      {states.noPermissionHint(roles[role])}
    </EmptyState>
  );
}
