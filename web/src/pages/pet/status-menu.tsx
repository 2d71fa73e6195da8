import { Menu, UnstyledButton } from '@mantine/core';
import { useRef } from 'react';
import type { PetStatus } from '../../api/schemas.ts';
import { StatusBadge } from '../../components/badge.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { IconChevronDown } from '../../icons/icons.tsx';
import { isApiError } from '../../api/api-error.ts';
import { RefusedForm } from '../../components/dialogs/use-submit.ts';
import { mustWait } from '../../counts/use-counts.ts';
import { useMay, usePersonId } from '../../session/session-context.tsx';
import { useErrorText, useTexts } from '../../texts/texts-context.tsx';
import { useKeepDetails } from './keep-details.ts';
import { type Pet, StatusChanged, setStatus } from './pet-api.ts';
import styles from './pet-facts.module.css';

interface Props {
  readonly pet: Pet;
  readonly name: string;
  readonly onReload: () => Promise<unknown>;
}

/** The status, which staff change in place. */
export function StatusMenu({ pet, name, onReload }: Props) {
  const { pet: texts, shared } = useTexts();
  const { show } = useToast();
  const errorText = useErrorText();
  const mayChange = useMay('staff');
  const personId = usePersonId();
  const keepDetails = useKeepDetails(name);
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
    const { current: base } = seen;
    const keep = (isTried: boolean) =>
      keepDetails(base, { values: { status }, before: { status: base.status } }, isTried);
    try {
      if (mustWait(pet.petId, personId)) return keep(false);
      const undo = await setStatus(base, status).catch((error: unknown) => {
        if (!isApiError(error, 'offline')) throw error;
        // The request may have arrived: repeated, it changes nothing.
        keep(true);
      });
      if (!undo) return;
      show({ message: texts.statusChanged(name, shared.status[status]), undo });
    } catch (error) {
      if (error instanceof RefusedForm) return show({ message: error.text, isError: true });
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
        {statuses.map((status) => (
          <Menu.Item key={status} disabled={status === pet.status} onClick={() => void change(status)}>
            <StatusBadge status={status} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
