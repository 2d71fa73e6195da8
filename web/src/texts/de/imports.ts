import type { imports as english } from '../en/imports.ts';

export const imports: typeof english = {
  facts: 'Eine Datei wird geprüft und als Plan angezeigt. Bis du ihn übernimmst, ändert sich nichts.',
  import: 'Datei importieren',
  dropHere: 'Datei mit Tieren hier ablegen',
  drop: 'Loslassen, um sie zu lesen',
  dropHint:
    'Excel, CSV, NDJSON oder JSON, mit ID und Menge in jeder Zeile. Andere Spaltennamen ordnest du danach zu.',
  choose: 'Datei wählen',
  oneFile: 'Importiere die Dateien einzeln nacheinander.',
  unusable: {
    empty: 'Die Datei ist leer.',
    encoding: (line) => `Die Zeichen in Zeile ${line} sind nicht lesbar. Speichere die Datei als UTF-8.`,
  },
  tooLarge: (bytes) => `Die Datei ist größer als ${bytes}. Teile sie oder erhöhe PETSTORE_MAX_IMPORT_BYTES.`,
  unreadable: {
    'quote-open': (line) =>
      `Zeile ${line}: In der Zeile, die hier beginnt, wird ein Anführungszeichen nicht geschlossen.`,
    'quote-followed': (line) =>
      `Zeile ${line}: Nach einem schließenden Anführungszeichen muss ein Trennzeichen oder das Zeilenende folgen.`,
    'quote-within': (line) =>
      `Zeile ${line}: Ein Feld mit einem Anführungszeichen muss ganz in Anführungszeichen stehen, seine eigenen doppelt.`,
    'row-too-long': (line) => `Zeile ${line}: Die Zeile, die hier beginnt, ist zu lang.`,
  },
  export: 'Export',
  exportHint: 'Alle Tiere als Datei, die ein Import liest.',
  format: 'Format',
  formats: { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', xlsx: 'Excel' },
  withArchived: 'Mit archivierten Tieren',
  withCodes: 'Mit Artikelnummern, Strichcodes und Lieferanten',
  download: 'Herunterladen',
  recent: 'Letzte Importe',
  none: 'Noch keine Importe',
  gone: 'Diesen Import gibt es nicht mehr',
  goneHint: 'Importe bleiben 7 Tage, wenn niemand sie löscht. Was sie geändert haben, steht im Verlauf.',
  noneHint: 'Hier stehen die Dateien der letzten Tage.',
  file: 'Datei',
  state: 'Zustand',
  sent: 'Gesendet',
  sentBy: 'Von',
  states: {
    receiving: 'Kommt an',
    checking: 'Wird geprüft',
    planned: 'Geplant',
    invalid: 'Hat Fehler',
    applying: 'Wird übernommen',
    applied: 'Übernommen',
    stale: 'Veraltet',
    cancelled: 'Abgebrochen',
    failed: 'Fehlgeschlagen',
  },
  effects: { new: 'Neu', changed: 'Geändert', unchanged: 'Unverändert' },
  all: 'Alle',
  problems: 'Probleme',
  filter: 'Angezeigte Zeilen',
  encodings: {
    'utf-8': 'UTF-8',
    'utf-16le': 'UTF-16',
    'utf-16be': 'UTF-16 (big-endian)',
    'windows-1252': 'Windows-1252',
  },
  headingLine: (line) => `Spaltennamen in Zeile ${line}`,
  columns: 'Spalten der Datei',
  column: 'In deiner Datei',
  columnNumber: (number) => `Spalte ${number}`,
  samples: 'Erste Werte',
  becomes: 'Wird zu',
  fieldOf: (column) => `Feld für ${column}`,
  leaveOut: 'Weglassen',
  mappings: {
    title: 'Gemerkte Spalten',
    listed: 'Name',
    name: 'Name für diese Spalten',
    hint: 'Die nächste Datei mit diesen Überschriften wird so gelesen.',
    example: 'Etwa der Name des Lieferanten',
    remember: 'Merken',
    replace: 'Ersetzen',
    used: (name) => `Gelesen mit den gemerkten Spalten „${name}“.`,
    drop: 'Nicht verwenden',
    fact: (name) => `Spalten „${name}“`,
    leftOut: 'Weggelassen',
    updated: 'Geändert',
    actions: 'Aktionen',
    rename: 'Umbenennen',
    renameOf: (name) => `${name} umbenennen`,
    forget: 'Vergessen',
    forgetOf: (name) => `${name} vergessen`,
    forgetHint:
      'Importe bleiben, wie sie sind. Die nächste Datei wird nach den bekannten Überschriften gelesen.',
    forgotten: (name) => `Die Spalten „${name}“ sind vergessen`,
  },
  newPetsToCheck: (pets) =>
    pets.isOne
      ? 'Ein neues Tier durch einen Code: Prüfe ihn auf Tippfehler.'
      : `${pets} neue Tiere durch Codes: Prüfe die Codes auf Tippfehler.`,
  missing: (fields) => `Wähle eine Spalte für: ${fields}.`,
  repeated: (field) => `Zwei Spalten werden zu ${field}. Lass eine weg.`,
  bad: {
    title: (rows) =>
      rows.isOne
        ? 'Eine Zeile lässt sich so nicht importieren'
        : `${rows} Zeilen lassen sich so nicht importieren`,
    hint: 'Berichtige die markierten Werte und prüfe noch einmal oder lass diese Zeilen weg: Auf der nächsten Seite gibt es sie als Datei.',
    ambiguous: (text, grouped, decimal) =>
      `„${text}“ kann ${grouped} oder ${decimal.replace('.', ',')} bedeuten. Was gilt in dieser Datei?`,
    reads: (text, number) => `${text} ist ${number.replace('.', ',')}`,
    cell: (field, line) => `${field} in Zeile ${line}`,
    leaveOut: (rows) => (rows.isOne ? 'Diese Zeile weglassen' : `${rows} Zeilen weglassen`),
  },
  mode: 'Mengen der Datei',
  modes: { set: 'Mengen setzen', add: 'Zum Bestand addieren' },
  modeHints: {
    set: 'Für eine Zählung: Aus 10 wird mit einer Zeile von 5 ein Bestand von 5.',
    add: 'Für eine Lieferung: Aus 10 wird mit einer Zeile von 5 ein Bestand von 15, mit -5 einer von 5.',
  },
  modeFacts: { set: 'setzt Mengen', add: 'addiert zum Bestand' },
  check: 'Datei prüfen',
  checkHint: 'Der nächste Schritt zeigt, was sich ändern würde.',
  progress: { mapping: 'Lesen', sending: 'Senden' },
  hints: {
    receiving: (arrived) => `${arrived} der Datei sind angekommen.`,
    checking: (checked, all) => `${checked} von ${all} sind geprüft. Du kannst diese Seite verlassen.`,
    planned: 'Noch ist nichts geändert. Es werden alle Zeilen geschrieben oder keine.',
    nothing: 'Der Laden hat diese Werte schon. Es gibt nichts zu übernehmen.',
    invalid: (count) =>
      count.isOne ? 'Ein Fehler. Nichts wurde importiert.' : `${count} Fehler. Nichts wurde importiert.`,
    applying: 'Alle Zeilen werden in einem Schritt geschrieben.',
    applied: (rows, by) => `${by} hat ${rows} ${rows.isOne ? 'Zeile' : 'Zeilen'} geschrieben`,
    stale: (count) =>
      count.isOne
        ? 'Das Tier einer Zeile hat sich nach dem Plan geändert. Nichts wurde geschrieben; plane neu.'
        : `Die Tiere von ${count} Zeilen haben sich nach dem Plan geändert. Nichts wurde geschrieben; plane neu.`,
    cancelled: 'Nichts wurde geschrieben.',
  },
  failures: {
    disk_full:
      'Die Festplatte der Datenbank hat keinen Platz dafür. Nichts wurde geschrieben. Schaffe Platz, etwa indem du andere Importe löschst; dann plane neu.',
    not_started:
      'Der Dienst konnte die Datenbank dafür nicht öffnen. Nichts wurde geschrieben. Der Grund steht in seinen Meldungen; dann plane neu.',
    interrupted: 'Er wurde zu oft unterbrochen. Nichts wurde geschrieben; plane neu.',
    nothing_to_undo:
      'Der Import, den er rückgängig macht, ist gelöscht oder schon rückgängig gemacht. Nichts wurde geschrieben.',
  },
  undo: {
    plan: 'Rückgängig machen',
    planOf: (name) => `Rückgängig machen: ${name}`,
    title: (file) => `${file} rückgängig machen`,
    redoTitle: (file) => `${file} wieder übernehmen`,
    undone: 'Der Import, den er rückgängig macht',
    partly: 'Teilweise rückgängig',
    results: {
      all: 'Er ist rückgängig gemacht.',
      part: 'Er ist teilweise rückgängig gemacht: Zeilen wurden weggelassen.',
      none: 'Das wurde selbst rückgängig gemacht: Er gilt wieder.',
    },
    checking: 'Es wird geplant, was rückgängig gemacht wird. Du kannst diese Seite verlassen.',
    nothing: 'Von diesem Import ist nichts mehr rückgängig zu machen.',
    invalid: (count) =>
      count.isOne
        ? 'Eine Zeile lässt sich nicht rückgängig machen.'
        : `${count} Zeilen lassen sich nicht rückgängig machen.`,
    correct: 'Berichtige diese Tiere und mache den Import noch einmal rückgängig oder lass die Zeilen weg.',
    deleteHint: 'Der Plan wird gelöscht. Der Bestand ändert sich nicht.',
    archive: 'Neue Tiere archivieren',
    archivePets: (pets) => (pets.isOne ? '1 Tier archivieren' : `${pets} Tiere archivieren`),
    archiveHint:
      'Tiere, die der Import hinzugefügt hat, bleiben ohne Stück. Solche mit Bestand oder Reservierungen werden nicht archiviert.',
    archiveNone:
      'Kein Tier ist mehr zu archivieren: Die neuen Tiere sind archiviert oder gelöscht oder haben Bestand oder Reservierungen.',
  },
  appliedBefore: (by) => `${by} hat dieselbe Datei übernommen`,
  apply: (count) => (count.isOne ? '1 Änderung übernehmen' : `${count} Änderungen übernehmen`),
  applyGood: (count, left) =>
    `${count} ${count.isOne ? 'Änderung' : 'Änderungen'} übernehmen, ${left} ${left.isOne ? 'Zeile' : 'Zeilen'} weglassen`,
  actions: { apply: 'Übernehmen', plan: 'Neu planen', cancel: 'Import abbrechen' },
  delete: 'Löschen',
  deleteTitle: (name) => `${name} löschen`,
  deleteHint: 'Die Datei und ihr Plan werden gelöscht. Der Bestand ändert sich nicht.',
  deleteApplied: 'Der Plan wird gelöscht. Was er geschrieben hat, bleibt, der Verlauf auch.',
  deleted: (name) => `Der Import „${name}“ ist gelöscht`,
  plan: 'Plan',
  noRows: 'Keine solchen Zeilen',
  effect: 'Wirkung',
  line: 'Zeile',
  element: 'Element',
  field: 'Spalte',
  message: 'Problem',
  content: 'Wie in der Datei',
  wholeFile: 'Datei',
  correct: 'Berichtige diese Zeilen und importiere die Datei noch einmal.',
  staleRows: 'Diese Zeilen haben sich nach dem Plan geändert.',
  firstErrors: (shown, all) => `Die ersten ${shown} von ${all}.`,
  errorsFile: 'Fehlerliste herunterladen',
  badRowsFile: (rows) =>
    rows.isOne ? 'Die Zeile zum Berichtigen herunterladen' : `${rows} Zeilen zum Berichtigen herunterladen`,
};
