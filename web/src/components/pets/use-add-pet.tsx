import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconPlus } from '../../icons/icons.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { useOfferedCommands } from '../commands.ts';
import { useHotkeys } from '../hotkeys/hotkey-provider.tsx';
import { AddPetDialog } from './add-pet-dialog.tsx';

interface AddPet {
  /** `false` for a person who may not add pets. */
  readonly button: ReactNode;
  readonly dialog: ReactNode;
}

/** Lets a page add a pet: by a button, by a key, and by the search. @param page Its name in the list of keys. */
export function useAddPet(page: string): AddPet {
  const { overview: texts } = useTexts();
  const mayAdd = useMay('staff');
  const [isAdding, setAdding] = useState(false);
  const add = { keys: 'a', label: texts.addPet, run: () => setAdding(true) };
  useHotkeys(page, mayAdd ? [add] : []);
  useOfferedCommands(mayAdd ? [add] : []);
  return {
    button: mayAdd && (
      <Button variant="default" leftSection={<IconPlus size={16} stroke={1.75} />} onClick={add.run}>
        {texts.addPet}
      </Button>
    ),
    dialog: isAdding && <AddPetDialog onClose={() => setAdding(false)} />,
  };
}
