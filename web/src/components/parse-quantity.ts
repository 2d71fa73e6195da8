export interface QuantityEdit {
  /** `set`: a count. `add`: a change, which holds also if the quantity has changed meanwhile. */
  readonly kind: 'set' | 'add';
  readonly quantity: number;
  readonly delta: number;
}

/** Reads `12`, `+3` or `-2`. `undefined` if it is none of them, or leads out of the range of quantities. */
export function parseQuantity(text: string, current: number): QuantityEdit | undefined {
  const [, sign, digits] = /^([+\-−])?(\d{1,16})$/.exec(text.replaceAll(/[\s.,'’\u00A0\u202F]/g, '')) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  const quantity = sign === undefined ? value : sign === '+' ? current + value : current - value;
  if (!Number.isSafeInteger(quantity) || quantity < 0) return undefined;
  return { kind: sign === undefined ? 'set' : 'add', quantity, delta: quantity - current };
}
