import { useState } from 'react';
import { isApiError } from '../../api/api-error.ts';
import type { PetChanges } from '../../api/schemas.ts';
import { useForm } from '../../components/dialogs/use-form.ts';
import { RefusedForm } from '../../components/dialogs/use-submit.ts';
import { useCodeConflict } from '../../components/pets/code-conflict.tsx';
import { allBarcodes, barcodesOf, linesOf } from '../../components/pets/code-values.ts';
import {
  type EditDraft,
  editPlace,
  type Field,
  FIELDS,
  readEditDraft,
  type Values,
} from '../../components/pets/edit-draft.ts';
import { useBarcodeFault } from '../../components/pets/use-barcode-fault.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { mustWait } from '../../counts/use-counts.ts';
import { useDraft } from '../../drafts/use-draft.ts';
import { usePersonId } from '../../session/session-context.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { useKeepDetails } from './keep-details.ts';
import { editPet, type Pet, readPet } from './pet-api.ts';

interface Options {
  readonly pet: Pet;
  readonly name: string;
  readonly onReload: () => Promise<unknown>;
  readonly onClose: () => void;
}

const valuesOf = (pet: Pet): Values => ({
  name: pet.name ?? '',
  category: pet.category ?? '',
  lowStockAt: String(pet.lowStockAt ?? ''),
  restockAt: String(pet.restockAt ?? ''),
  sku: pet.sku ?? '',
  barcodes: linesOf(pet.barcodes),
});

/** The values that the person changed, as the service takes them. */
function changesBetween(before: Values, after: Values) {
  const changed = FIELDS.filter((field) => before[field] !== after[field].trim());
  const changes: PetChanges = Object.fromEntries(
    changed.map((field) => {
      const text = after[field].trim();
      if (field === 'barcodes') return [field, barcodesOf(text)];
      const isNumber = field === 'lowStockAt' || field === 'restockAt';
      return [field, text === '' ? null : isNumber ? Number(text) : text];
    }),
  );
  return changes;
}

const partOf = (values: Values, fields: readonly Field[]): Partial<Values> =>
  Object.fromEntries(fields.map((field) => [field, values[field]]));

/**
 * An edit of name, category, thresholds and codes: what was typed, and what saves it. Only what the person changed is sent. A sale
 * meanwhile is no conflict, an edit of the same values is: `theirs` has it, and saving again replaces it.
 */
export function useEditDetails({ pet, name, onReload, onClose }: Options) {
  const { pet: texts } = useTexts();
  const { show } = useToast();
  const [base, setBase] = useState(pet);
  const { values: typed, set, input } = useForm(() => ({ ...valuesOf(pet), barcode: '' }));
  const values = { ...typed, barcodes: linesOf(allBarcodes(typed)) };
  const fault = useBarcodeFault()(typed);
  const conflict = useCodeConflict(pet.petId);
  const personId = usePersonId();
  const keepDetails = useKeepDetails(name);
  /** Values of somebody else in the fields that the person changed too. */
  const [theirs, setTheirs] = useState<Partial<Values>>();
  const typedFields = FIELDS.filter((field) => values[field] !== valuesOf(base)[field]);
  const draft = useDraft<EditDraft>({
    place: editPlace(pet.petId),
    values: { typed: partOf(values, typedFields), before: partOf(valuesOf(base), typedFields) },
    read: readEditDraft,
    load: ({ typed: kept, before }) => {
      const now = valuesOf(pet);
      set({ ...now, barcode: '', ...kept });
      // What others changed in the same fields since then is shown, as in a dialog that stayed open.
      const overwritten = FIELDS.filter((name) => name in kept && before[name] !== now[name]);
      setTheirs(overwritten.length === 0 ? undefined : partOf(now, overwritten));
    },
  });
  const leave = () => {
    draft.end();
    onClose();
  };

  /** Keeps the edit among the counts of this browser, until there is a connection. @throws RefusedForm */
  const keep = (from: Pet, changes: PetChanges, isTried: boolean) => {
    const seen = changesBetween(values, valuesOf(from));
    const taken = conflict.takes(changes) && { takeCodes: true as const };
    keepDetails(from, { values: changes, before: seen, ...taken }, isTried);
    leave();
  };
  const save = async (from: Pet): Promise<void> => {
    setTheirs(undefined);
    if (fault !== undefined) throw new RefusedForm(fault);
    const before = valuesOf(from);
    const changes = changesBetween(before, values);
    if (Object.keys(changes).length === 0) return leave();
    if (mustWait(pet.petId, personId)) return keep(from, changes, false);
    try {
      let tag = '';
      const isSaved = await conflict.save(changes, async (body) => {
        const { headers } = await editPet(pet.petId, from.tag, body);
        tag = headers.get('ETag') ?? '';
      });
      if (!isSaved) return;
      const back = changesBetween(values, before);
      const undo = async () => {
        await editPet(pet.petId, tag, back);
        await onReload();
      };
      show({ message: texts.edited(values.name.trim() || name), undo });
      draft.end();
      await onReload();
      onClose();
    } catch (error) {
      // The request may have arrived: repeated, it changes nothing.
      if (isApiError(error, 'offline')) return keep(from, changes, true);
      if (!isApiError(error, 'precondition_failed')) throw error;
      const current = await readPet(pet.petId);
      const now = valuesOf(current);
      if (FIELDS.every((field) => now[field] === before[field])) return save(current);
      await onReload();
      const isMine = (field: Field) => values[field].trim() !== before[field];
      const mine = FIELDS.filter((field) => isMine(field) && now[field] !== values[field].trim());
      // An earlier attempt, whose answer was lost, may have made the change.
      if (mine.length === 0) return leave();
      setBase(current);
      set(
        partOf(
          now,
          FIELDS.filter((field) => !isMine(field)),
        ),
      );
      setTheirs(
        partOf(
          now,
          mine.filter((field) => now[field] !== before[field]),
        ),
      );
    }
  };
  return { base, typed, values, set, input, theirs, draft, conflict, save: () => save(base) };
}
