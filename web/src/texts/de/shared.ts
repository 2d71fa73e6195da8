import type { shared as english } from '../en/shared.ts';
import { FIRST_WORDS } from '../first-words.ts';

const FIRST = FIRST_WORDS.de;

export const shared: typeof english = {
  status: FIRST.status,
  alert: { ...FIRST.alert, none: 'Genug' },
  order: {
    placed: 'Aufgegeben',
    expiring: 'Läuft bald ab',
    approved: 'Bestätigt',
    partly_delivered: 'Teilweise geliefert',
    delivered: 'Geliefert',
    partly_returned: 'Teils zurückgenommen',
    returned: 'Zurückgenommen',
    cancelled: 'Storniert',
    expired: 'Abgelaufen',
  },
  reason: {
    correction: 'Korrektur',
    cycle_count: 'Zählung',
    received: 'Wareneingang',
    restock: 'Nachschub',
    returned: 'Rückgabe',
    damaged: 'Beschädigt',
    shrinkage: 'Schwund',
    promotion: 'Aktion',
    sold: 'Verkauft',
    other: 'Anderes',
  },
  fields: {
    ...FIRST.fields,
    reason: 'Grund',
    note: 'Notiz',
    reference: 'Beleg',
    lowStockAt: 'Knapp ab',
    restockAt: 'Genug ab',
    supplier: 'Lieferant',
    barcodes: 'Strichcodes',
  },
  codes: {
    placeholder: 'Strichcode scannen oder eingeben',
    add: 'Hinzufügen',
    addBarcode: 'Diesen Strichcode hinzufügen',
    remove: (code) => `Den Strichcode ${code} entfernen`,
    full: (most) => `Ein Tier hat höchstens ${most} Strichcodes.`,
    same: (code) => `Dieses Tier hat den Strichcode ${code} schon.`,
    tooLong: (most) => `Ein Strichcode hat höchstens ${most} Zeichen.`,
    characters:
      'Ein Strichcode hat nur Buchstaben ohne Umlaute und Akzente, Ziffern, Leerzeichen und einfache Satzzeichen.',
    zeros: 'Kein Artikel hat eine Nummer nur aus Nullen.',
    checkDigit: (digits, right) =>
      `Bei ${digits} Ziffern ist die letzte eine Prüfziffer, und sie muss ${right} sein. Vergleiche die Nummer mit dem Etikett.`,
    owned: {
      sku: (pet, code, isArchived) =>
        isArchived
          ? `Das archivierte Tier ${pet} hat die Artikelnummer ${code}.`
          : `${pet} hat die Artikelnummer ${code}.`,
      barcode: (pet, code, isArchived) =>
        isArchived
          ? `Das archivierte Tier ${pet} hat den Strichcode ${code}.`
          : `${pet} hat den Strichcode ${code}.`,
    },
    take: 'Vom archivierten Tier übernehmen',
    unknown: (code) => `Kein Tier hat den Code ${code}.`,
    addToPet: 'Zu einem Tier hinzufügen',
    newPet: 'Neues Tier',
    addTitle: (code) => `${code} zu einem Tier hinzufügen`,
    pet: 'Tier',
    findPet: 'Nach Name oder ID suchen',
  },
  camera: {
    open: 'Mit der Kamera scannen',
    title: 'Strichcode scannen',
    denied: 'Die Kamera ist nicht verfügbar. Erlaube sie für diese Seite oder gib den Code ein.',
    noReader: 'Der Strichcodeleser wurde nicht geladen. Prüfe die Verbindung oder gib den Code ein.',
    hint: 'Halte den Strichcode vor die Kamera.',
  },
  asTable: 'Als Tabelle anzeigen',
  asChart: 'Als Diagramm anzeigen',
  unnamed: FIRST.unnamed,
  inTheWay: {
    units: (quantity, result) => `jetzt ${quantity}, danach ${result}`,
    more: (pets) => (pets.isOne ? 'und 1 weiteres Tier' : `und ${pets} weitere Tiere`),
  },
  noCategory: FIRST.noCategory,
  pets: (count) => (count.isOne ? `${count} Tier` : `${count} Tiere`),
};
