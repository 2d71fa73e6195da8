import { TextInput } from '@mantine/core';
import { MAX_PET_TEXT } from '@petstore-inventory/shared/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { ManagedPet } from '../../api/schemas.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useForm } from '../dialogs/use-form.ts';
import { useToast } from '../toast/toast-provider.tsx';

const PET_ID = /^-?\d{1,19}$/;
const QUANTITY = /^\d{0,15}$/;

/** Adds one pet, and leads to it. */
export function AddPetDialog({ onClose }: { onClose: () => void }) {
  const { overview, shared } = useTexts();
  const { show } = useToast();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { values, input } = useForm({ petId: '', name: '', category: '', quantity: '' });
  const texts = Object.fromEntries(
    Object.entries(values).map(([field, text]) => [field, text.trim()]),
  ) as typeof values;
  const isIdWrong = texts.petId !== '' && !PET_ID.test(texts.petId);
  const isQuantityWrong = !QUANTITY.test(texts.quantity);

  const add = async () => {
    const { petId, name, category, quantity } = texts;
    const body = {
      petId: String(BigInt(petId)),
      ...(name !== '' && { name }),
      ...(category !== '' && { category }),
      ...(quantity !== '' && { quantity: Number(quantity) }),
    };
    const made = await api<ManagedPet>('POST', '/pets', { body });
    show({ message: overview.added(made.name ?? shared.unnamed(made.petId)) });
    void queries.invalidateQueries({ queryKey: ['overview'] });
    navigate(`/pets/${made.petId}`);
  };
  const field = (name: keyof typeof values) => ({ ...input(name), label: shared.fields[name] });
  return (
    <FormDialog
      title={overview.addTitle}
      action={overview.add}
      isReady={texts.petId !== '' && !isIdWrong && !isQuantityWrong}
      onClose={onClose}
      onSubmit={add}
    >
      <TextInput
        {...field('petId')}
        description={overview.petIdHint}
        error={isIdWrong && overview.wholeNumber}
        inputMode="numeric"
        data-autofocus
      />
      <TextInput {...field('name')} maxLength={MAX_PET_TEXT} />
      <TextInput {...field('category')} maxLength={MAX_PET_TEXT} />
      <TextInput
        {...field('quantity')}
        placeholder="0"
        inputMode="numeric"
        error={isQuantityWrong && overview.wholeNumber}
      />
    </FormDialog>
  );
}
