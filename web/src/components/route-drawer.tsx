import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';

interface Props {
  readonly title: ReactNode;
  readonly isOpen: boolean;
  /** The address of the page below the drawer. */
  readonly closeTo: string;
  readonly children: ReactNode;
}

/** A drawer for details whose address is its own, so that Back closes it and a link opens it. */
export function RouteDrawer({ title, isOpen, closeTo, children }: Props) {
  const [, navigate] = useLocation();
  return (
    <Drawer opened={isOpen} onClose={() => navigate(closeTo)} title={title} size={480}>
      {children}
    </Drawer>
  );
}
