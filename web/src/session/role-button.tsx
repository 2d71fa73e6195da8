import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { Role } from '../api/schemas.ts';
import { useTexts } from '../texts/texts-context.tsx';
import { useMay } from './session-context.tsx';

interface Props extends ButtonProps {
  readonly needs: Role;
  readonly onClick: () => void;
}

/** A button that is disabled, with the reason as its tooltip, for those who do not have the role. */
export function RoleButton({ needs, onClick, ...look }: Props) {
  const { states, roles } = useTexts().app;
  const isAllowed = useMay(needs);
  if (isAllowed) return <Button {...look} onClick={onClick} />;
  return (
    <Tooltip label={states.needsRole(roles[needs])}>
      {/* Not "disabled", so that the tooltip opens by keyboard too. */}
      <Button {...look} data-disabled aria-disabled onClick={(event) => event.preventDefault()} />
    </Tooltip>
  );
}
