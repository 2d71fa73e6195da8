import { CloseButton, TextInput } from '@mantine/core';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import form from './new-order.module.css';
import type { NewLine, OrderedPet } from './order-draft.ts';

interface Props {
  readonly lines: readonly NewLine[];
  /** The pets now. */
  readonly pets: ReadonlyMap<string, OrderedPet>;
  readonly onChange: (lines: readonly NewLine[]) => void;
}

export function NewOrderLines({ lines, pets, onChange }: Props) {
  const { orders, shared } = useTexts();
  const { quantity } = useFormat();
  const change = (petId: string, units: string) =>
    onChange(lines.map((line) => (line.pet.petId === petId ? { ...line, units } : line)));
  return (
    <ul className={form.lines}>
      {lines.map(({ pet: picked, units }) => {
        const pet = pets.get(picked.petId) ?? picked;
        const name = pet.name ?? shared.unnamed(pet.petId);
        const isFit = /^[1-9]\d*$/.test(units);
        const isShort = isFit && Number(units) > pet.available;
        return (
          <li key={pet.petId} className={form.line}>
            <span className={form.name}>
              {name}
              <span className={`${form.available} number`} data-short={isShort || undefined}>
                {!isFit
                  ? orders.form.invalid
                  : isShort
                    ? orders.form.short(quantity(Math.max(pet.available, 0)))
                    : orders.form.available(quantity(pet.available))}
              </span>
            </span>
            <TextInput
              aria-label={orders.unitsOf(name)}
              inputMode="numeric"
              autoComplete="off"
              value={units}
              error={!isFit || isShort}
              onChange={(event) => change(pet.petId, event.currentTarget.value.trim())}
              onFocus={(event) => event.currentTarget.select()}
              className={form.units}
            />
            <CloseButton
              attributes={{ root: { 'aria-label': orders.form.removeLine(name) } }}
              onClick={() => onChange(lines.filter((line) => line.pet.petId !== pet.petId))}
            />
          </li>
        );
      })}
    </ul>
  );
}
