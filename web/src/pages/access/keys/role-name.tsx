import { useTexts } from '../../../texts/texts-context.tsx';

/** The name of a role. A role of a later release shows as it is. */
export function RoleName({ role }: { role: string }) {
  const { roles } = useTexts().app;
  return Object.hasOwn(roles, role) ? roles[role as keyof typeof roles] : role;
}
