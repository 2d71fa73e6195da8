import type { ReactNode } from 'react';
import type { Role } from '../api/schemas.ts';
import { NoPermission } from '../components/states/no-permission.tsx';
import { useMay } from './session-context.tsx';

/** Shows its content only to those who have the role. */
export function RequireRole({ role, children }: { role: Role; children: ReactNode }) {
  return useMay(role) ? children : <NoPermission role={role} />;
}
