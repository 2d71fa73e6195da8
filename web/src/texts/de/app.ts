import type { app as english } from '../en/app.ts';
import { FIRST_WORDS } from '../first-words.ts';

const FIRST = FIRST_WORDS.de;

export const app: typeof english = {
  shop: 'Pet Store',
  navigation: 'Hauptnavigation',
  skip: 'Zum Inhalt springen',
  more: 'Mehr',
  staging: 'Testbetrieb',
  pages: {
    overview: 'Übersicht',
    stock: FIRST.stock,
    orders: 'Bestellungen',
    count: 'Zählen',
    stocktakes: 'Inventuren',
    reorders: 'Nachbestellungen',
    reports: 'Berichte',
    activity: 'Aktivität',
    imports: 'Import und Export',
    access: 'Zugänge',
    webhooks: 'Webhooks',
    system: 'System',
    labels: 'Regaletiketten',
    pet: 'Tier',
  },
  groups: { shop: 'Laden', manage: 'Verwaltung' },
  search: {
    label: 'Suche und Befehle',
    placeholder: 'Tiere, Bestellungen, Seiten und Befehle suchen',
    hint: 'Suchen',
    empty: 'Nichts gefunden',
    limit: (orders) =>
      `Bestellungen findet die Suche mit Nummer oder ganzem Beleg, die neuesten ${orders} auch mit einem Teil des Belegs.`,
    pages: 'Gehe zu',
    commands: 'Befehle',
    pets: 'Tiere',
  },
  live: {
    connecting: 'Verbindet',
    live: 'Live',
    offline: 'Offline',
    liveHint: 'Was andere ändern, erscheint hier sofort.',
    offlineSince: (time) => `Offline seit ${time}.`,
    maybeOld: 'Die Anzeige kann veraltet sein.',
    held: 'Dieser Schlüssel hat viele Anfragen gesendet. In weniger als einer Minute geht es weiter.',
    waiting: (changes) => (changes.isOne ? '1 Änderung wartet.' : `${changes} Änderungen warten.`),
    decisions: (changes) =>
      changes.isOne
        ? '1 Änderung braucht deine Entscheidung.'
        : `${changes} Änderungen brauchen deine Entscheidung.`,
    left: (changes, who) =>
      changes.isOne
        ? `1 Änderung von ${who} wartet auf diesem Gerät.`
        : `${changes} Änderungen von ${who} warten auf diesem Gerät.`,
    decide: 'Entscheiden',
    retry: 'Jetzt verbinden',
  },
  theme: { label: 'Farben', light: 'Hell', dark: 'Dunkel', auto: 'Wie das System' },
  language: 'Sprache',
  filters: {
    label: 'Filter',
    add: 'Filter',
    clear: 'Filter zurücksetzen',
    chip: (field, value) => `${field}: ${value}`,
    remove: (field) => `Filter „${field}“ entfernen`,
  },
  views: {
    label: 'Ansichten',
    open: (name) => `Ansicht „${name}“ öffnen`,
    opensWith: (name) => `${name} (zuerst geöffnet)`,
    save: 'Als Ansicht speichern',
    saveAction: 'Ansicht speichern',
    full: (most) => `Es gibt schon ${most} Ansichten: Lösche eine, um eine weitere zu speichern`,
    name: 'Name der Ansicht',
    conflict: (name) => `Ein anderer Browser hat die Ansicht „${name}“ geändert`,
    changedElsewhere:
      'Filter, Spalten, Zeilenhöhe oder Name sind dort jetzt anders. Deine Änderung würde sie ersetzen.',
    deletedElsewhere: 'Sie ist dort gelöscht. Deine Änderung würde sie neu speichern.',
    overwrite: 'Ersetzen',
    saveAgain: 'Neu speichern',
    missingPet: (petId) =>
      `Das Tier ${petId} gibt es nicht mehr: Es wurde gelöscht. Sein Filter bleibt, bis du ihn entfernst.`,
    isDefault: 'Beim Öffnen der Liste zeigen',
    taken: (name) => `Es gibt schon eine Ansicht „${name}“.`,
    saved: (name) => `Ansicht „${name}“ gespeichert`,
    replace: (name) => `„${name}“ durch die jetzige Ansicht ersetzen`,
    replaced: (name) => `Ansicht „${name}“ ersetzt`,
    rename: (name) => `„${name}“ umbenennen`,
    remove: (name) => `„${name}“ löschen`,
    removed: (name) => `Ansicht „${name}“ gelöscht`,
    missingCategory: (category) => `Kein Tier hat mehr die Kategorie „${category}“.`,
  },
  columns: 'Spalten',
  density: { label: 'Zeilenhöhe', comfortable: 'Normal', dense: 'Dicht' },
  account: { label: 'Konto', signOut: 'Abmelden', keys: 'Tastenkürzel' },
  roles: { viewer: 'Leser', staff: 'Mitarbeiter', administrator: 'Administrator' },
  restored:
    'Der Betreiber hat eine Sicherung eingespielt, und alles wurde neu gelesen. Änderungen nach der Sicherung fehlen: gib sie noch einmal ein.',
  signIn: {
    title: 'Anmelden',
    intro: 'Mit dem Verwaltungsschlüssel. Noch keinen? Auf dem Server: petstore-server login-link.',
    key: 'Verwaltungsschlüssel',
    keyHint: 'Er beginnt mit psa_. Der Browser speichert ihn nicht.',
    action: 'Anmelden',
    linkUsed:
      'Dieser Link gilt nicht. Ein Link gilt nur einmal und nur kurze Zeit. petstore-server login-link erzeugt einen neuen; ein Schlüssel geht auch.',
    refused: 'Dieser Schlüssel gilt nicht. Ist er vollständig, nicht widerrufen und nicht abgelaufen?',
    ended: 'Die Sitzung ist beendet. Melde dich an, um fortzufahren.',
    openSignOut:
      'In diesem Browser bist du abgemeldet. Der Dienst war nicht erreichbar, dort läuft die Sitzung noch: Dieser Browser beendet sie, sobald es eine Verbindung gibt.',
    drafts:
      'Was getippt und nicht gesendet wurde, bleibt für den Schlüssel, mit dem es getippt wurde, und für den, der ihn ersetzt hat. Eine Anmeldung mit jedem anderen löscht es.',
    linkDrafts:
      'In diesem Browser wurde etwas getippt und nicht gesendet. Es bleibt, wenn der Link zum selben Schlüssel gehört, oder zu dem, der ihn ersetzt hat. Ein Link zu jedem anderen löscht es.',
    useLink: 'Mit dem Link anmelden',
    leaveLink: 'Ohne den Link fortfahren',
  },
  states: {
    loading: FIRST.loading,
    error: 'Das konnte nicht geladen werden',
    offline: 'Der Dienst ist nicht erreichbar',
    offlineHint: 'Prüfe die Verbindung. Die Seite versucht es von selbst wieder.',
    retry: 'Erneut versuchen',
    noPermission: 'Das darfst du nicht sehen',
    noPermissionHint: (role) =>
      `Dafür ist die Rolle „${role}“ nötig. Ein Administrator kann dir einen anderen Schlüssel geben.`,
    needsRole: (role) => `Nur mit der Rolle „${role}“`,
    notFound: 'Diese Seite gibt es nicht',
    notFoundHint: 'Vielleicht ist die Adresse falsch geschrieben oder ihr Inhalt gelöscht.',
    toStock: 'Zum Bestand',
  },
  changedMeanwhile: (now) =>
    `Jemand hat das inzwischen geändert. Jetzt: ${now}. Noch einmal speichern ersetzt es.`,
  taken: (name, at) =>
    `„${name}“ gibt es schon, seit ${at}. Ein anderer Tab oder jemand anderes hat das angelegt, oder du selbst, und die Antwort ging verloren. Wähle einen anderen Namen.`,
  twin: (name, at) =>
    `„${name}“ gibt es schon, seit ${at}. Ein anderer Tab oder jemand anderes hat das angelegt, oder du selbst, und die Antwort ging verloren. Noch einmal senden legt es ein zweites Mal an.`,
  discard: {
    title: 'Eingaben verwerfen?',
    keep: 'Weiter bearbeiten',
    action: 'Verwerfen',
  },
  unsent: {
    form: 'Keine Verbindung. Senden geht, sobald sie wieder da ist.',
    draft:
      'Keine Verbindung. Dieser Browser bewahrt deine Eingaben auf, und du kannst sie senden, sobald die Verbindung wieder da ist.',
  },
  draft: {
    kept: 'Getippt und nicht gesendet. Aufbewahrt',
    changed: 'Ein anderer Tab hat diesen Entwurf geändert:',
    ended: 'Ein anderer Tab hat diesen Entwurf gesendet oder verworfen.',
    unkept: 'Der Browser hat keinen Platz für einen Entwurf: Neu laden verliert die Eingaben.',
    chooseAgain: (file) =>
      `${file} war für einen Import vorbereitet. Wähle die Datei noch einmal, um fortzufahren. Aufbewahrt`,
    show: 'Zeigen',
    goOn: 'Fortsetzen',
    discard: 'Entwurf verwerfen',
  },
  actions: {
    save: 'Speichern',
    cancel: 'Abbrechen',
    close: 'Schließen',
    clear: 'Leeren',
    copy: 'Kopieren',
    copied: 'Kopiert',
    undo: 'Rückgängig',
    remove: 'Entfernen',
    open: 'Öffnen',
    back: 'Zurück',
  },
  confirm: {
    type: (name) => `Zur Bestätigung „${name}“ eingeben`,
    irreversible: 'Das lässt sich nicht rückgängig machen.',
  },
  undone: 'Rückgängig gemacht',
  undoFailed: (why) => `Nicht rückgängig gemacht: ${why}`,
  undonePartly: (done, left, why) => `Rückgängig gemacht: ${done}. Nicht rückgängig gemacht: ${left}. ${why}`,
  undoPartlyUnanswered: (done, left) =>
    `Rückgängig gemacht: ${done}. Ohne Antwort oder nicht versucht: ${left}. Sobald die Verbindung wieder da ist, zeigt die Seite den Bestand.`,
  undoUnanswered:
    'Keine Antwort vom Dienst. Sobald die Verbindung wieder da ist, zeigt die Seite, ob es rückgängig gemacht wurde.',
  keys: {
    title: 'Tastenkürzel',
    general: 'Überall',
    search: 'Diese Seite durchsuchen',
    palette: 'Suche und Befehle',
    help: 'Diese Übersicht anzeigen',
    undo: 'Letzte Änderung rückgängig machen',
    back: 'Schließen oder zurück',
    goTo: (page) => `Gehe zu ${page}`,
    next: 'dann',
  },
  files: {
    export: 'CSV exportieren',
    reading: (count) => `${count} gelesen`,
    exported: (rows) => (rows.isOne ? '1 Eintrag exportiert' : `${rows} Einträge exportiert`),
    part: (rows) =>
      `Die ersten ${rows} Einträge exportiert, mehr fasst die Datei nicht. Filtere, um andere zu exportieren.`,
    failed: (why) => `Nichts exportiert: ${why}`,
  },
  records: {
    more: 'Mehr anzeigen',
    next: 'Nächste Zeile',
    previous: 'Vorige Zeile',
    search: 'Suchen',
    empty: '–',
    actions: 'Aktionen',
    noMatch: 'Keine Treffer',
    noMatchHint: (words) => `Nichts hier enthält „${words}“.`,
    clearSearch: 'Suche leeren',
    onPaper: (rows) =>
      `${rows.isOne ? 'Die erste Zeile' : `Die ersten ${rows} Zeilen`} einer längeren Liste. Der Export hat alle.`,
  },
  secrets: {
    once: 'Jetzt kopieren und sicher aufbewahren: Es wird nicht noch einmal angezeigt.',
    stored: 'Sicher aufbewahrt',
    overlap: 'Übergangszeit',
    overlaps: {
      none: 'Keine: Der alte gilt ab jetzt nicht mehr',
      hour: '1 Stunde',
      day: '1 Tag',
      week: '7 Tage',
    },
  },
  relative: { now: FIRST.now },
};
