import type { ManagedPet, Order, OrderLine } from '../../api/schemas.ts';
import type { Step } from './orders-api.ts';

/** Units of a line that a step can still move. */
export const unitsLeft = (step: 'deliver' | 'return', { reserved, delivered, returned }: OrderLine): number =>
  step === 'deliver' ? reserved : delivered - returned;

export const totalOf = (lines: readonly OrderLine[], units: (line: OrderLine) => number): number =>
  lines.reduce((sum, line) => sum + units(line), 0);

/** The steps that the status allows. The service decides; this decides what is offered. */
export function possibleSteps({ status, lines }: Order): readonly Step[] {
  const isReturnable = lines.some((line) => unitsLeft('return', line) > 0);
  const steps: Step[] = [];
  if (status === 'placed') steps.push('approve');
  if (status === 'approved') steps.push('deliver');
  if (isReturnable) steps.push('return');
  if (status === 'placed' || status === 'approved') steps.push('cancel');
  return steps;
}

export interface ShortLine {
  readonly petId: string;
  readonly wanted: number;
  readonly there: number;
}

/** The lines whose pets have fewer units than they want. */
export function shortLines(
  lines: readonly { readonly petId: string; readonly quantity?: number | undefined }[],
  pets: ReadonlyMap<string, ManagedPet>,
  unitsOf: (pet: ManagedPet) => number,
): readonly ShortLine[] {
  return lines.flatMap(({ petId, quantity = 0 }) => {
    const pet = pets.get(petId);
    const there = pet ? unitsOf(pet) : 0;
    return there < quantity ? [{ petId, wanted: quantity, there }] : [];
  });
}
