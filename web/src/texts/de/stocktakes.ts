import type { Texts } from '../en.ts';

export const stocktakes: Texts['stocktakes'] = {
  facts: (running) => (running.isOne ? '1 läuft' : `${running} laufen`),
  table: 'Inventuren',
  search: 'Inventuren suchen',
  empty: 'Noch keine Inventuren',
  emptyHint:
    'Eine Inventur hat einen Namen und die Tiere, die gezählt werden müssen. Mehrere Personen zählen gleichzeitig, und der Bericht vergleicht den erwarteten mit dem gezählten Bestand.',
  noneInState: 'Keine Inventur in diesem Zustand',
  all: 'Alle',
  state: {
    running: 'Läuft',
    closed: 'Abgeschlossen',
    undone: 'Rückgängig',
    cancelled: 'Abgebrochen',
  },
  columns: {
    name: 'Name',
    state: 'Zustand',
    scope: 'Tiere',
    started: 'Begonnen',
    progress: 'Gezählt',
    ended: 'Beendet',
  },
  start: 'Inventur beginnen',
  startAction: 'Beginnen',
  started: (name) => `${name} begonnen`,
  name: 'Name',
  nameHint: 'Zum Beispiel das Regal und der Monat.',
  scope: {
    title: 'Welche Tiere',
    hint: 'Ohne Auswahl werden alle Tiere gezählt.',
    all: 'Alle Tiere',
    words: (words) => `„${words}“`,
    wordsLabel: 'Wörter aus Name oder Kategorie',
    any: 'Beliebig',
  },
  posting: {
    title: 'Wann sich der Bestand ändert',
    at_count: 'Mit jeder Zählung',
    at_countHint: 'Was gezählt ist, gilt sofort als Bestand.',
    at_close: 'Beim Abschluss der Inventur',
    at_closeHint:
      'Bis dahin bleibt der Bestand gleich. Du siehst alle Differenzen, bevor sie gebucht werden.',
  },
  count: 'Zählen',
  countFor: 'Für diese Inventur zählen',
  recount: 'Nachzählen',
  countPet: (name) => `${name} zählen`,
  recountPet: (name) => `Nachzählen: ${name}`,
  totals: {
    label: 'Summen',
    counted: 'Gezählt',
    uncounted: 'Nicht gezählt',
    differences: 'Mit Differenz',
    surplus: 'Stück gefunden',
    shortage: 'Stück fehlen',
    unposted: 'Noch nicht gebucht',
  },
  countedOf: (counted, all) => `${counted} von ${all}`,
  progress: (counted, all) => `${counted} von ${all} gezählt`,
  tabs: 'Teile des Berichts',
  differences: 'Differenzen',
  counted: 'Gezählt',
  uncounted: 'Nicht gezählt',
  noDifferences: 'Keine Differenzen',
  noDifferencesHint: 'Gezählt wurde, was erwartet war.',
  nothingCounted: 'Noch nichts gezählt',
  nothingCountedHint: 'Öffne die Seite „Zählen“ und scanne oder suche ein Tier.',
  allCounted: 'Alles ist gezählt',
  allCountedHint: 'Von dieser Inventur ist kein Tier übrig.',
  lines: {
    pet: 'Tier',
    category: 'Kategorie',
    expected: 'Erwartet',
    counted: 'Gezählt',
    variance: 'Differenz',
    counts: 'Zählungen',
    by: 'Gezählt von',
    at: 'Wann',
    quantity: 'Bestand',
    action: 'Aktion',
  },
  close: {
    action: 'Abschließen',
    title: (name) => `${name} abschließen`,
    confirm: 'Inventur abschließen',
    uncounted: (pets) =>
      pets.isOne
        ? '1 Tier ist nicht gezählt. Sein Bestand bleibt, wie er ist.'
        : `${pets} Tiere sind nicht gezählt. Ihr Bestand bleibt, wie er ist.`,
    posts: (pets) =>
      pets.isOne
        ? 'Die Differenz von 1 Tier wird gebucht.'
        : `Die Differenzen von ${pets} Tieren werden gebucht.`,
    nothingToPost: 'Alle Differenzen sind schon im Bestand.',
    unsent: (counts) =>
      counts.isOne
        ? '1 Zählung auf diesem Gerät ist noch nicht gebucht. Nach dem Abschluss wird sie abgelehnt.'
        : `${counts} Zählungen auf diesem Gerät sind noch nicht gebucht. Nach dem Abschluss werden sie abgelehnt.`,
    hint: 'Danach sind keine Zählungen mehr möglich. Ein Administrator kann die Inventur als Ganzes rückgängig machen.',
    work: 'Alle Differenzen werden in einem Schritt geschrieben. Andere Änderungen am Bestand warten.',
    remedy: 'Nichts wurde gebucht: Diese Tiere hätten einen unmöglichen Bestand. Zähle sie nach.',
    done: (name) => `${name} abgeschlossen`,
  },
  cancel: {
    action: 'Abbrechen',
    title: (name) => `${name} abbrechen`,
    confirm: 'Inventur abbrechen',
    leave: 'Weiterlaufen lassen',
    happens: {
      at_count:
        'Die Inventur endet. Was ihre Zählungen am Bestand geändert haben, wird rückgängig gemacht. Spätere Verkäufe und Änderungen bleiben.',
      at_close:
        'Die Inventur endet, und ihre Differenzen werden nicht gebucht. Was eine Kasse für sie gesetzt hat, wird rückgängig gemacht.',
    },
    unsent: (counts) =>
      counts.isOne
        ? '1 Zählung auf diesem Gerät ist noch nicht gebucht. Sie wird dann abgelehnt.'
        : `${counts} Zählungen auf diesem Gerät sind noch nicht gebucht. Sie werden dann abgelehnt.`,
    hint: 'Was gezählt wurde, bleibt auf dieser Seite. Im Bericht über alle Inventuren fehlt es.',
    work: 'Alles wird in einem Schritt rückgängig gemacht. Andere Änderungen am Bestand warten.',
    remedy: 'Nichts wurde abgebrochen: Diese Tiere hätten einen unmöglichen Bestand. Berichtige ihn zuerst.',
    done: (name) => `${name} abgebrochen`,
  },
  undo: {
    action: 'Rückgängig machen',
    title: (name) => `${name} rückgängig machen`,
    confirm: 'Inventur rückgängig machen',
    hint: 'Alles, was diese Inventur am Bestand geändert hat, wird rückgängig gemacht. Spätere Verkäufe und Änderungen bleiben, der Bericht auch.',
    work: 'Alles wird in einem Schritt rückgängig gemacht. Andere Änderungen am Bestand warten.',
    remedy:
      'Nichts wurde rückgängig gemacht: Diese Tiere hätten einen unmöglichen Bestand. Berichtige ihn zuerst.',
    done: (name) => `Rückgängig gemacht: ${name}`,
  },
  output: 'Exportieren',
  export: 'Als CSV herunterladen',
  print: 'Drucken',
  printedTable: 'Bericht',
  printed: (pets, when) => (pets.isOne ? `1 Tier, ${when}` : `${pets} Tiere, ${when}`),
  exporting: (lines) => `${lines} gelesen`,
  exportFailed: (why) => `Der Bericht wurde nicht exportiert: ${why}`,
  info: {
    scope: 'Tiere',
    posting: 'Bestand ändert sich',
    started: 'Begonnen',
    closed: 'Abgeschlossen',
    undone: 'Rückgängig gemacht',
    cancelled: 'Abgebrochen',
    pruned: 'Stand',
    prunedHint:
      'Die Bewegungen wurden damals gelöscht. Die Inventur lässt sich nicht mehr rückgängig machen.',
    by: (who, when) => `${when}, ${who}`,
  },
};
