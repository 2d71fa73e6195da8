import { Text } from '@mantine/core';
import { useLocation } from 'wouter';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { deletePet } from './pet-api.ts';

interface Props {
  readonly petId: string;
  readonly name: string;
  /** The stock list as it was left. */
  readonly stockAddress: string;
  readonly onClose: () => void;
}

/** Deletes a pet that was added by mistake. The service refuses any that was changed meanwhile. */
export function DeletePetDialog({ petId, name, stockAddress, onClose }: Props) {
  const { delete: texts } = useTexts().pet;
  const { show } = useToast();
  const [, navigate] = useLocation();
  const submit = async () => {
    await deletePet(petId);
    navigate(stockAddress);
    show({ message: texts.done(name) });
  };
  return (
    <FormDialog title={texts.title(name)} action={texts.action} isDanger onClose={onClose} onSubmit={submit}>
      <Text size="sm">{texts.text}</Text>
    </FormDialog>
  );
}
