import type { Texts } from '../en.ts';

export const reorders: Texts['reorders'] = {
  table: 'Was zu bestellen ist',
  facts: (pets, units) =>
    pets.isOne
      ? `1 Tier, ${units}\u00A0Stück zu bestellen`
      : `${pets} Tiere, ${units}\u00A0Stück zu bestellen`,
  states: { all: 'Alle', to_order: 'Zu bestellen', ordered: 'Bestellt' },
  state: 'Anzeigen',
  supplier: 'Lieferant',
  anySupplier: 'Alle Lieferanten',
  noSupplier: 'Ohne Lieferanten',
  noSuppliers: 'Tiere auswählen, um ihren Lieferanten zu setzen',
  anyCategory: 'Alle Kategorien',
  columns: {
    select: 'Auswählen',
    pet: 'Tier',
    alert: 'Warnung',
    available: 'Verfügbar',
    days: 'Reichweite in Tagen',
    suggested: 'Bestellen',
    ordered: 'Bestellt',
    actions: 'Aktionen',
  },
  selectPet: (pet) => `${pet} auswählen`,
  selectAll: 'Alle auswählen',
  unitsOf: (pet) => `Stück zu bestellen: ${pet}`,
  toEnough: (units) => `${units} bis „Genug“`,
  outstanding: (units) => `${units} bestellt`,
  toCome: (units) => `${units} ausstehend`,
  expected: (units, day) => `${units}, erwartet am ${day}`,
  overdue: (text) => `${text} (überfällig)`,
  arrived: (received, ordered) => `${received} von ${ordered} eingetroffen`,
  mark: 'Als bestellt markieren',
  edit: 'Bearbeiten',
  markPet: (pet) => `Als bestellt markieren: ${pet}`,
  editPet: (pet) => `Nachbestellung von ${pet} bearbeiten`,
  markMany: (pets) => (pets.isOne ? '1 als bestellt markieren' : `${pets} als bestellt markieren`),
  selected: (pets) => (pets.isOne ? '1 ausgewählt' : `${pets} ausgewählt`),
  clear: 'Auswahl aufheben',
  units: 'Stück',
  unitsHint: 'Wie viel insgesamt bestellt wurde, auch was davon schon eingetroffen ist.',
  manyUnits: (pets, units) => `${units}\u00A0Stück von ${pets} Tieren, wie in der Tabelle.`,
  expectedOn: 'Erwartet am',
  setSupplier: (pets) => (pets.isOne ? 'Lieferanten setzen' : `Lieferanten von ${pets} Tieren setzen`),
  supplierSet: (pets) =>
    pets.isOne ? 'Lieferant von 1 Tier gesetzt' : `Lieferant von ${pets} Tieren gesetzt`,
  supplierRemoved: (pets) =>
    pets.isOne ? 'Lieferant von 1 Tier entfernt' : `Lieferant von ${pets} Tieren entfernt`,
  removeSupplier: 'Lieferanten entfernen',
  removeSupplierOf: (pets) =>
    pets.isOne ? 'Lieferanten von 1 Tier entfernen' : `Lieferanten von ${pets} Tieren entfernen`,
  supplierHint: 'Bleibt beim Tier gespeichert.',
  asItIs: 'Wie beim jeweiligen Tier',
  invalidUnits: 'Gib eine ganze Zahl ab 1 ein.',
  invalidDay: 'Gib einen Tag ein, etwa 3. Dezember 2026, oder lass das Feld leer.',
  invalidOf: (pet) => `Gib für ${pet} eine ganze Zahl ab 1 ein.`,
  save: 'Speichern',
  cancelOrder: 'Doch nicht bestellt',
  endOrder: 'Es kommt nichts mehr',
  marked: (pets, units) =>
    pets.isOne
      ? `${units}\u00A0Stück als bestellt markiert`
      : `${units}\u00A0Stück von ${pets} Tieren als bestellt markiert`,
  markedPets: (pets) => (pets.isOne ? '1 Tier als bestellt markiert' : `${pets} Tiere als bestellt markiert`),
  saved: (pet) => `Nachbestellung von ${pet} geändert`,
  cancelled: (pet) => `${pet} ist nicht mehr bestellt`,
  nothing: 'nichts unterwegs',
  changedMeanwhile: (pet, now) =>
    `Jemand hat ${pet} inzwischen bestellt, oder die Lieferung ist eingetroffen. Jetzt: ${now}. Noch einmal senden ersetzt es.`,
  empty: 'Nichts zu bestellen',
  emptyHint: 'Kein Tier ist knapp, und nichts ist unterwegs.',
  noMatch: 'Kein Tier passt zu diesen Filtern.',
  clearFilters: 'Filter zurücksetzen',
  printed: (when) => `Nachbestellungen, gedruckt ${when}`,
  toBuy: 'Stück',
  seeList: 'Zu den Nachbestellungen',
  takeOutstanding: (units) =>
    units.isOne ? 'Das bestellte Stück ist eingetroffen' : `Alle ${units} bestellten Stück sind eingetroffen`,
  receive: 'Wareneingang',
  receivePet: (pet) => `Wareneingang: ${pet}`,
  receiveMany: (pets) => (pets.isOne ? 'Wareneingang von 1 Tier' : `Wareneingang von ${pets} Tieren`),
  arrivedPets: (pets, units) =>
    `Alle ${units} bestellten Stück von ${pets} Tieren sind eingetroffen. Kam von einem Tier eine andere Menge, buche es einzeln ein.`,
  receivedPets: (pets) =>
    pets.isOne ? 'Alle Stück von 1 Tier eingetroffen' : `Alle Stück von ${pets} Tieren eingetroffen`,
  changedOf: (done, all) => `Erledigt: ${done} von ${all} Tieren`,
  arrivedUnits: 'Eingetroffene Stück',
  receivedUnits: (pet, units) => `${pet}: ${units}\u00A0Stück eingetroffen`,
  arrivedOfMany: (pet, now) =>
    `Die Nachbestellung von ${pet} wurde geändert, oder etwas davon ist eingetroffen. Jetzt: ${now}. Noch einmal senden bucht ein, was unterwegs ist.`,
  arrivedMeanwhile: (now) =>
    `Die Nachbestellung wurde geändert, oder etwas davon ist eingetroffen. Jetzt: ${now}. Noch einmal senden bucht auch diese Stück ein.`,
};
