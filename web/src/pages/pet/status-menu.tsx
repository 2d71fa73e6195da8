import { Menu, UnstyledButton } from '@mantine/core';
import { useRef } from 'react';
import type { PetStatus } from '../../api/schemas.ts';
import { StatusBadge } from '../../components/badge.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { IconChevronDown } from '../../icons/icons.tsx';
import { useLiveStatus } from '../../live/use-live.ts';
import { useMay } from '../../session/session-context.tsx';
import { useErrorText, useTexts } from '../../texts/texts-context.tsx';
import { type Pet, StatusChanged, setStatus } from './pet-api.ts';
import styles from './pet-facts.module.css';

interface Props {
  readonly pet: Pet;
  readonly name: string;
  readonly onReload: () => Promise<unknown>;
}

/** The status, which staff change in place. */
export function StatusMenu({ pet, name, onReload }: Props) {
  const { pet: texts, shared, app } = useTexts();
  const { show } = useToast();
  const errorText = useErrorText();
  const mayChange = useMay('staff');
  const isOffline = useLiveStatus().state === 'offline';
  // The person chose to replace the status of when the menu opened, not a later one.
  const seen = useRef(pet);
  if (!mayChange) {
    return (
      <span className={styles.fixed}>
        <StatusBadge status={pet.status} />
      </span>
    );
  }
  const change = async (status: PetStatus) => {
    try {
      const undo = await setStatus(seen.current, status);
      show({ message: texts.statusChanged(name, shared.status[status]), undo });
    } catch (error) {
      const why =
        error instanceof StatusChanged
          ? texts.statusMeanwhile(shared.status[error.status])
          : errorText(error);
      show({ message: texts.notChanged(why), isError: true });
    }
    await onReload();
  };
  const statuses = Object.keys(shared.status) as PetStatus[];
  return (
    <Menu
      position="bottom-start"
      withinPortal={false}
      onOpen={() => {
        seen.current = pet;
      }}
    >
      <Menu.Target>
        <UnstyledButton className={styles.status} title={texts.changeStatus}>
          <StatusBadge status={pet.status} />
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {isOffline && <Menu.Label className={styles.unsent}>{app.unsent.choice}</Menu.Label>}
        {statuses.map((status) => (
          <Menu.Item
            key={status}
            disabled={isOffline || status === pet.status}
            onClick={() => void change(status)}
          >
            <StatusBadge status={status} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
