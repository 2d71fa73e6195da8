import { Button, TextInput } from '@mantine/core';
import { MAX_PET_TEXT } from '@petstore-inventory/shared/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { isApiError } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import type { ManagedPet } from '../../api/schemas.ts';
import { readTexts } from '../../drafts/drafts.ts';
import { useDraft } from '../../drafts/use-draft.ts';
import { readAgain } from '../../live/read-again.ts';
import { useStock } from '../../stock/stock-provider.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { atMost } from '../at-most.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useForm } from '../dialogs/use-form.ts';
import { RefusedForm } from '../dialogs/use-submit.ts';
import { useToast } from '../toast/toast-provider.tsx';
import { useCodeConflict } from './code-conflict.tsx';
import { allBarcodes } from './code-values.ts';
import styles from './add-pet-dialog.module.css';
import { CodesFields } from './codes-fields.tsx';
import { useBarcodeFault } from './use-barcode-fault.ts';

const NO_CODES = { sku: '', barcodes: '' };
const DRAFT_FIELDS = ['petId', 'name', 'category', 'quantity', 'sku', 'barcodes', 'barcode'] as const;
const PET_ID = /^-?\d{1,19}$/;
/** Longer ids have a meaning outside of the shop, such as a barcode. */
const SHORT_ID = 9;
const UNWATCHED = { onAppended: () => {}, onReplaced: () => {}, onPut: () => {} };
const QUANTITY = /^\d{0,15}$/;

const readPet = (petId: string) => api<ManagedPet>('GET', `/pets/${petId}`);

interface Props {
  /** A code that was scanned. */
  readonly barcode?: string;
  /** Instead of leading to the pet. */
  readonly onAdded?: (pet: ManagedPet) => void;
  readonly onClose: () => void;
}

/** Adds one pet, and leads to it. */
export function AddPetDialog({ barcode = '', onAdded, onClose }: Props) {
  const { overview, shared } = useTexts();
  const { show } = useToast();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { values, set, input } = useForm({ petId: '', name: '', category: '', quantity: '' });
  const codes = useForm({ ...NO_CODES, barcode });
  const fault = useBarcodeFault()(codes.values);
  const draft = useDraft({
    place: barcode === '' ? 'add-pet' : `add-pet:${barcode}`,
    values: { ...values, ...codes.values },
    read: (value) => readTexts(value, DRAFT_FIELDS),
    load: ({ sku, barcodes, barcode: scanned, ...typed }) => {
      set(typed);
      codes.set({ sku, barcodes, barcode: scanned });
    },
  });
  const texts = Object.fromEntries(
    Object.entries(values).map(([field, text]) => [field, text.trim()]),
  ) as typeof values;
  const isIdWrong = texts.petId !== '' && !PET_ID.test(texts.petId);
  const isQuantityWrong = !QUANTITY.test(texts.quantity);

  const conflict = useCodeConflict(texts.petId);
  const next = useNextPetId();

  const add = async () => {
    if (fault !== undefined) throw new RefusedForm(fault);
    const sku = codes.values.sku.trim();
    const barcodes = allBarcodes(codes.values);
    const { petId, name, category, quantity } = texts;
    const body = {
      petId: String(BigInt(petId)),
      ...(name !== '' && { name }),
      ...(category !== '' && { category }),
      ...(quantity !== '' && { quantity: Number(quantity) }),
      ...(sku !== '' && { sku }),
      ...(barcodes.length > 0 && { barcodes }),
    };
    let made: ManagedPet | undefined;
    const send = async (codesToo: typeof body) => {
      made = await api<ManagedPet>('POST', '/pets', { body: codesToo });
    };
    await conflict.save(body, send).catch(async (error: unknown) => {
      if (!isApiError(error, 'conflict')) throw error;
      const taken = await readPet(body.petId);
      throw new RefusedForm(overview.idTaken(body.petId, taken.name, taken.archivedAt !== null));
    });
    if (!made) return;
    draft.end();
    onClose();
    show({ message: overview.added(made.name ?? shared.unnamed(made.petId)) });
    void readAgain(queries, ['overview']);
    if (onAdded) onAdded(made);
    else navigate(`/pets/${made.petId}`);
  };
  const field = (name: keyof typeof values) => ({ ...input(name), label: shared.fields[name] });
  return (
    <FormDialog
      title={overview.addTitle}
      action={overview.add}
      isReady={texts.petId !== '' && !isIdWrong && !isQuantityWrong}
      onClose={onClose}
      onSubmit={add}
      staysOpen
      draft={draft}
    >
      <TextInput
        {...field('petId')}
        description={overview.petIdHint}
        error={isIdWrong && overview.wholeNumber}
        inputMode="numeric"
        data-autofocus
      />
      {next !== undefined && texts.petId === '' && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={styles.next}
          onClick={() => set({ petId: next })}
        >
          {overview.nextId(next)}
        </Button>
      )}
      <TextInput {...field('name')} {...atMost(MAX_PET_TEXT)} />
      <TextInput {...field('category')} {...atMost(MAX_PET_TEXT)} />
      <TextInput
        {...field('quantity')}
        placeholder="0"
        inputMode="numeric"
        error={isQuantityWrong && overview.wholeNumber}
      />
      <CodesFields values={codes.values} onChange={codes.set} />
      {conflict.note}
    </FormDialog>
  );
}

/** One more than the largest petId, for pets without a label; `undefined` until all pets are loaded. */
function useNextPetId(): string | undefined {
  const { store } = useStock();
  const subscribe = useCallback((onState: () => void) => store.subscribe({ ...UNWATCHED, onState }), [store]);
  const isComplete = useSyncExternalStore(subscribe, () => store.isComplete);
  const last = store.rows.at(-1)?.petId ?? '0';
  const isShort = last.length <= SHORT_ID;
  return isComplete && isShort ? String(Math.max(0, Number(last)) + 1) : undefined;
}
