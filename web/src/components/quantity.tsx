import { useFormat } from '../texts/texts-context.tsx';

/** A whole number in the person's locale, with digits of one width. */
export function Quantity({ value }: { value: number | string }) {
  return <span className="number">{useFormat().quantity(value)}</span>;
}

/** A change with its sign, such as +3 or −2. */
export function Change({ value }: { value: number }) {
  return <span className="number">{useFormat().change(value)}</span>;
}
