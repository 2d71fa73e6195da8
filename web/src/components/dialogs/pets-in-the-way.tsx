import { Link } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { usePetNames } from '../movements/use-pet-names.ts';
import styles from './form-dialog.module.css';

/** A pet whose stock a refused action would have brought out of its limits. */
interface PetInTheWay {
  readonly petId: string;
  /** Its stock now. */
  readonly quantity: string;
  /** Digits, because the sum may be larger than a number holds. */
  readonly result: string;
}

export interface PetsInTheWay {
  /** The first of them. */
  readonly pets: readonly PetInTheWay[];
  readonly count: number;
}

/** The pets that a refusal of the service names; `undefined` for any other error. */
export function petsInTheWayOf(error: unknown): PetsInTheWay | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const named = error.headers.get('Inventory-Pets') ?? '';
  const pets = [...named.matchAll(/(-?\d+);quantity=(\d+);result=(-?\d+)/g)].map(
    ([, petId = '', quantity = '', result = '']) => ({ petId, quantity, result }),
  );
  const count = Number(error.headers.get('Inventory-Pet-Count') ?? pets.length);
  return pets.length === 0 ? undefined : { pets, count };
}

/** Links to the pets that must be mended, with what each has and would have. */
export function PetsInTheWayList({ pets, count }: PetsInTheWay) {
  const { shared } = useTexts();
  const { inTheWay } = shared;
  const format = useFormat();
  const names = usePetNames(pets);
  const more = count - pets.length;
  return (
    <>
      <ul className={styles.pets}>
        {pets.map(({ petId, quantity, result }) => (
          <li key={petId}>
            <Link href={`/pets/${petId}`}>
              <bdi>{names.get(petId) ?? shared.unnamed(petId)}</bdi>{' '}
              {inTheWay.units(format.quantity(quantity), format.quantity(result))}
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles.more}>{inTheWay.more(format.count(more))}</p>}
    </>
  );
}
