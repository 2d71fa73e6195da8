import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import type { ManagedPet } from '../../api/schemas.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './code-conflict.module.css';

interface OwnedCode {
  readonly kind: 'sku' | 'barcode';
  readonly code: string;
  readonly owner: ManagedPet;
}

interface Codes {
  readonly sku?: string | null | undefined;
  readonly barcodes?: readonly string[] | undefined;
}

/** What the person has agreed to is about these codes. */
const namesOf = ({ sku, barcodes }: Codes): string => JSON.stringify([sku, barcodes]);

/** The codes that other pets have, archived ones too. */
async function findOwned({ sku, barcodes = [] }: Codes, petId: string): Promise<readonly OwnedCode[]> {
  const codes = [
    ...(sku === undefined || sku === null ? [] : [{ kind: 'sku' as const, code: sku }]),
    ...barcodes.map((code) => ({ kind: 'barcode' as const, code })),
  ];
  const found = await Promise.all(
    codes.map(async ({ kind, code }) => {
      const query = { [kind]: code, archived: 'include' };
      const [owner] = await api<readonly ManagedPet[]>('GET', '/pets', { query });
      return owner && owner.petId !== petId ? [{ kind, code, owner }] : [];
    }),
  );
  return found.flat();
}

/**
 * Saves codes of a pet, and names the pets that have them already. Those of archived pets can be taken.
 * @param petId The pet that gets the codes.
 */
export function useCodeConflict(petId: string) {
  const [owned, setOwned] = useState<readonly OwnedCode[]>([]);
  const [names, setNames] = useState<string>();
  const [isTaking, setTaking] = useState(false);
  const canTake = owned.length > 0 && owned.every(({ owner }) => owner.archivedAt !== null);
  /** Whether the person takes these codes from archived pets. Others would be taken from pets that no note has named. */
  const takes = (codes: Codes): boolean => canTake && isTaking && names === namesOf(codes);

  /** @returns Whether it was saved. @throws What `send` throws, except the conflict. */
  const save = async <T extends Codes>(
    body: T,
    send: (body: T & { readonly takeCodes?: true }) => Promise<unknown>,
  ): Promise<boolean> => {
    if (names !== namesOf(body)) setOwned([]);
    try {
      await send(takes(body) ? { ...body, takeCodes: true } : body);
      return true;
    } catch (error) {
      if (!isApiError(error, 'code_in_use')) throw error;
      const found = await findOwned(body, petId);
      // The pet that had the code may have lost it meanwhile.
      if (found.length === 0) throw error;
      setTaking(false);
      setNames(namesOf(body));
      setOwned(found);
      return false;
    }
  };
  const note = owned.length > 0 && (
    <ConflictNote owned={owned} canTake={canTake} isTaking={isTaking} onTaking={setTaking} />
  );
  return { save, note, takes };
}

interface Props {
  readonly owned: readonly OwnedCode[];
  readonly canTake: boolean;
  readonly isTaking: boolean;
  readonly onTaking: (isTaking: boolean) => void;
}

function ConflictNote({ owned, canTake, isTaking, onTaking }: Props) {
  const { codes, unnamed } = useTexts().shared;
  return (
    <div className={styles.conflict}>
      <div role="alert">
        <ul className={styles.owned}>
          {owned.map(({ kind, code, owner }) => {
            const { petId, name, archivedAt } = owner;
            const pet = name === null ? unnamed(petId) : `${name} (${petId})`;
            return <li key={`${kind} ${code}`}>{codes.owned[kind](pet, code, archivedAt !== null)}</li>;
          })}
        </ul>
      </div>
      {canTake && (
        <Checkbox
          label={codes.take}
          checked={isTaking}
          onChange={(event) => onTaking(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}
