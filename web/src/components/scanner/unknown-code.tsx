import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { send } from '../../api/client.ts';
import type { ManagedPet } from '../../api/schemas.ts';
import { useMay } from '../../session/session-context.tsx';
import { bareCode } from '../../stock/codes.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { RefusedForm } from '../dialogs/use-submit.ts';
import { PetSelect } from '../pet-select.tsx';
import { AddPetDialog } from '../pets/add-pet-dialog.tsx';
import { useCodeConflict } from '../pets/code-conflict.tsx';
import { useBarcodeFault } from '../pets/use-barcode-fault.ts';
import styles from './unknown-code.module.css';

export type CodeDialog = 'pet' | 'new';

interface Props {
  /** As it was scanned. */
  readonly code: string;
  readonly dialog: CodeDialog | undefined;
  readonly onDialog: (dialog: CodeDialog | undefined) => void;
  /** The pet that has the code now. */
  readonly onPet: (pet: ManagedPet) => void;
}

/** A scanned code that no pet has, and what can be done with it. The page holds which dialog is open, for its keys. */
export function UnknownCode({ code: scanned, dialog, onDialog, onPet }: Props) {
  const { codes } = useTexts().shared;
  const isStaff = useMay('staff');
  const code = bareCode(scanned);
  const close = () => onDialog(undefined);
  return (
    <>
      <div className={styles.unknown}>
        <p role="alert" className={styles.text}>
          {codes.unknown(code)}
        </p>
        {isStaff && (
          <Group gap="xs">
            <Button variant="default" size="sm" onClick={() => onDialog('pet')}>
              {codes.addToPet}
            </Button>
            <Button variant="default" size="sm" onClick={() => onDialog('new')}>
              {codes.newPet}
            </Button>
          </Group>
        )}
      </div>
      {dialog === 'pet' && <AddCodeDialog code={code} onAdded={onPet} onClose={close} />}
      {dialog === 'new' && <AddPetDialog barcode={code} onAdded={onPet} onClose={close} />}
    </>
  );
}

interface DialogProps {
  readonly code: string;
  readonly onAdded: (pet: ManagedPet) => void;
  readonly onClose: () => void;
}

/** Adds a barcode to a pet that is chosen. */
function AddCodeDialog({ code, onAdded, onClose }: DialogProps) {
  const { codes, unnamed } = useTexts().shared;
  const [pet, setPet] = useState<ManagedPet>();
  const fault = useBarcodeFault()({ barcodes: '', barcode: code });
  const conflict = useCodeConflict(pet?.petId ?? '');
  const add = async () => {
    if (!pet) return;
    if (fault !== undefined) throw new RefusedForm(fault);
    let changed: ManagedPet | undefined;
    const barcodes = [code];
    await conflict.save({ barcodes }, async (body) => {
      changed = await addBarcode(pet.petId, code, body);
    });
    if (!changed) return;
    onClose();
    onAdded(changed);
  };
  return (
    <FormDialog
      title={codes.addTitle(code)}
      action={codes.add}
      isReady={pet !== undefined}
      staysOpen
      onClose={onClose}
      onSubmit={add}
    >
      <PetSelect label={codes.pet} placeholder={codes.findPet} onPick={setPet} isFocused />
      {pet && <p className={styles.chosen}>{pet.name ?? unnamed(pet.petId)}</p>}
      {conflict.note}
    </FormDialog>
  );
}

const MAX_ATTEMPTS = 5;

/** Adds a barcode to those of a pet, which others may change meanwhile. @throws ApiError */
async function addBarcode(petId: string, code: string, options: object): Promise<ManagedPet> {
  const path = `/pets/${petId}`;
  for (let attempt = 1; ; attempt += 1) {
    const { value, headers } = await send<ManagedPet>('GET', path);
    const body = { ...options, barcodes: [...value.barcodes, code] };
    try {
      return (await send<ManagedPet>('PATCH', path, { ifMatch: headers.get('ETag') ?? '', body })).value;
    } catch (error) {
      if (!isApiError(error, 'precondition_failed') || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
