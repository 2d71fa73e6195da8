import type { labels as english } from '../en/labels.ts';

export const labels: typeof english = {
  facts: (count) => (count.isOne ? '1 Etikett' : `${count} Etiketten`),
  print: 'Drucken',
  kind: 'Art des Codes',
  kinds: { bars: 'Strichcode', qr: 'QR-Code' },
  sheet: 'Regaletiketten',
  code: (text) => `Code ${text}`,
  part: (first, last, all) => `${first} bis ${last} von ${all}`,
  previous: 'Zurück',
  next: 'Weiter',
  empty: 'Kein Tier ist ausgewählt',
  emptyHint: 'Wähle in der Bestandsliste Tiere aus, dann „Etiketten“.',
  toStock: 'Zur Bestandsliste',
  action: 'Etiketten',
  one: 'Etikett drucken',
};
