import type { Count } from '../format.ts';

export const labels = {
  facts: (count: Count) => (count.isOne ? '1 label' : `${count} labels`),
  print: 'Print',
  kind: 'Kind of code',
  kinds: { bars: 'Barcode', qr: 'QR code' },
  sheet: 'Shelf labels',
  code: (text: string) => `Code ${text}`,
  part: (first: string, last: string, all: string) => `${first} to ${last} of ${all}`,
  previous: 'Previous',
  next: 'Next',
  empty: 'No pet is selected',
  emptyHint: 'Select pets in the stock list, then choose Labels.',
  toStock: 'Go to the stock list',
  action: 'Labels',
  one: 'Print a label',
};
