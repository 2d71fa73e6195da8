import { parseQuantity } from '../../components/parse-quantity.ts';

/** Units to order as a person types them; `undefined` for anything but 1 or more. */
export function parseUnits(text: string): number | undefined {
  const typed = parseQuantity(text, 0);
  return typed?.kind === 'set' && typed.quantity >= 1 ? typed.quantity : undefined;
}
