import { MAX_NAMED_PETS } from '@petstore-inventory/shared/limits';
import { useEffect, useMemo, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import type { ManagedPet, Movement } from '../../api/schemas.ts';
import { useTexts } from '../../texts/texts-context.tsx';

/** The names of the pets of these movements, read when a movement needs one. */
export function usePetNames(movements: readonly Pick<Movement, 'petId'>[]): ReadonlyMap<string, string> {
  const { shared } = useTexts();
  const [pets, setPets] = useState<ReadonlyMap<string, string | null>>(new Map());
  const asked = useRef(new Set<string>());

  useEffect(() => {
    const missing = [...new Set(movements.map(({ petId }) => petId))].filter((id) => !asked.current.has(id));
    for (let i = 0; i < missing.length; i += MAX_NAMED_PETS) {
      const petIds = missing.slice(i, i + MAX_NAMED_PETS);
      for (const petId of petIds) asked.current.add(petId);
      readNames(petIds).then(
        (names) => setPets((before) => new Map([...before, ...names])),
        // The next movement of these pets asks again; until then their ids stand for them.
        () => {
          for (const petId of petIds) asked.current.delete(petId);
        },
      );
    }
  }, [movements]);

  return useMemo(
    () => new Map([...pets].map(([petId, name]) => [petId, name ?? shared.unnamed(petId)])),
    [pets, shared],
  );
}

async function readNames(petIds: readonly string[]): Promise<readonly (readonly [string, string | null])[]> {
  const pets = await api<readonly ManagedPet[]>('GET', '/pets', { query: { petId: petIds.join() } });
  return pets.map(({ petId, name }) => [petId, name]);
}
