import { ActionIcon, Button, Menu } from '@mantine/core';
import { Link } from 'wouter';
import { useToast } from '../../components/toast/toast-provider.tsx';
import {
  IconArchive,
  IconArchiveOff,
  IconBarcode,
  IconDots,
  IconPencil,
  IconTrash,
} from '../../icons/icons.tsx';
import { RoleButton } from '../../session/role-button.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useErrorText, useTexts } from '../../texts/texts-context.tsx';
import { archivePet, type Pet, restorePet } from './pet-api.ts';

interface Props {
  readonly pet: Pet;
  readonly name: string;
  readonly onAdjust: () => void;
  readonly onEdit: () => void;
  /** Deletes the pet; unset: it was changed since it was added. */
  readonly onDelete: (() => void) | undefined;
  readonly onReload: () => Promise<unknown>;
}

export function PetActions({ pet, name, onAdjust, onEdit, onDelete, onReload }: Props) {
  const { pet: texts, labels } = useTexts();
  const mayChange = useMay('staff');
  const setArchived = useSetArchived(pet, name, onReload);
  const adjust = (
    <RoleButton needs="staff" onClick={onAdjust}>
      {texts.adjust}
    </RoleButton>
  );
  if (!mayChange) return adjust;
  const isArchived = pet.archivedAt !== null;
  const isEmpty = pet.quantity === 0 && pet.reserved === 0;
  return (
    <>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={texts.actions}>
            <IconDots size={18} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconBarcode size={16} />}
            component={Link}
            href={`/labels?petId=${pet.petId}`}
          >
            {labels.one}
          </Menu.Item>
          {isArchived ? (
            <Menu.Item leftSection={<IconArchiveOff size={16} />} onClick={() => void setArchived(false)}>
              {texts.restore}
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconArchive size={16} />}
              disabled={!isEmpty}
              title={isEmpty ? undefined : texts.archiveNeedsEmpty}
              onClick={() => void setArchived(true)}
            >
              {texts.archive}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            color="red"
            disabled={!onDelete}
            title={onDelete ? undefined : texts.delete.needsUnused}
            onClick={onDelete}
          >
            {texts.delete.open}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button variant="default" leftSection={<IconPencil size={16} stroke={1.75} />} onClick={onEdit}>
        {texts.edit}
      </Button>
      {adjust}
    </>
  );
}

/** Archives or restores, which the other one undoes. */
function useSetArchived({ petId }: Pet, name: string, onReload: () => Promise<unknown>) {
  const { pet: texts } = useTexts();
  const { show } = useToast();
  const errorText = useErrorText();
  /** @returns The codes that other pets took meanwhile. */
  const set = async (isArchived: boolean): Promise<readonly string[]> => {
    if (isArchived) await archivePet(petId);
    const takenCodes = isArchived ? [] : (await restorePet(petId)).takenCodes;
    await onReload();
    return takenCodes.map(({ code }) => code);
  };
  return async (isArchived: boolean) => {
    try {
      const taken = await set(isArchived);
      const restored =
        taken.length === 0 ? texts.restored(name) : texts.restoredWithout(name, taken.join(', '));
      const message = isArchived ? texts.archived(name) : restored;
      show({ message, undo: async () => void (await set(!isArchived)) });
    } catch (error) {
      show({
        message: texts.notChanged(errorText(error)),
        isError: true,
      });
    }
  };
}
