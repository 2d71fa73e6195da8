import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import { LIMITS, type ManagedPet } from '../../api/schemas.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useToast } from '../toast/toast-provider.tsx';

const PET_ID = /^-?\d{1,19}$/;
const QUANTITY = /^\d{0,15}$/;

/** Adds one pet, and leads to it. */
export function AddPetDialog({ onClose }: { onClose: () => void }) {
  const { overview, shared } = useTexts();
  const { show } = useToast();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [values, setValues] = useState({ petId: '', name: '', category: '', quantity: '' });
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
  const input = (field: keyof typeof values) => ({
    label: shared.fields[field],
    value: values[field],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [field]: value }));
    },
  });
  return (
    <FormDialog
      title={overview.addTitle}
      action={overview.add}
      isReady={texts.petId !== '' && !isIdWrong && !isQuantityWrong}
      onClose={onClose}
      onSubmit={add}
    >
      <TextInput
        {...input('petId')}
        description={overview.petIdHint}
        error={isIdWrong && overview.wholeNumber}
        inputMode="numeric"
        data-autofocus
      />
      <TextInput {...input('name')} maxLength={LIMITS.petName} />
      <TextInput {...input('category')} maxLength={LIMITS.category} />
      <TextInput
        {...input('quantity')}
        placeholder="0"
        inputMode="numeric"
        error={isQuantityWrong && overview.wholeNumber}
      />
    </FormDialog>
  );
}
