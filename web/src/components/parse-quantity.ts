export interface QuantityEdit {
  /** `set`: a count. `add`: a change, which holds also if the quantity has changed meanwhile. */
  readonly kind: 'set' | 'add';
  readonly quantity: number;
  readonly delta: number;
}

/** Digits, which may be in groups of three as the locale writes them. `1.5` is none: it must not become 15. */
const QUANTITY = /^([+\-−])?(\d{1,16}|\d{1,3}(?:[.,'’ \u00A0\u202F]\d{3}){1,5})$/;

/** Reads `12`, `+3` or `-2`. `undefined` if it is none of them, or leads out of the range of quantities. */
export function parseQuantity(text: string, current: number): QuantityEdit | undefined {
  const [, sign, digits] = QUANTITY.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits.replaceAll(/\D/g, ''));
  const quantity = sign === undefined ? value : sign === '+' ? current + value : current - value;
  if (!Number.isSafeInteger(quantity) || quantity < 0) return undefined;
  return { kind: sign === undefined ? 'set' : 'add', quantity, delta: quantity - current };
}
