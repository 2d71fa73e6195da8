import type { Operation } from '../conflicting-operations.ts';
import type { errors as english } from '../en/errors.ts';
import { app } from './app.ts';

/** Why the present state does not allow an operation: the code says no more, and each operation has few reasons. */
const CONFLICTS: Readonly<Record<Operation, string>> = {
  createAccount: 'Ein anderes Konto hat diesen Namen.',
  updateAccount: 'Ein anderes Konto hat diesen Namen.',
  rotateKey: 'Dieser Schlüssel wurde schon erneuert oder gilt nicht mehr.',
  rotateAdminKey: 'Dieser Schlüssel wurde schon erneuert oder gilt nicht mehr.',
  createPet: 'Ein Tier mit dieser ID gibt es schon.',
  deletePet:
    'Das Tier wurde nach dem Hinzufügen geändert, und sein Verlauf bleibt. Setze seine Menge auf 0 und archiviere es.',
  archivePet:
    'Nur ein Tier ohne Bestand und Reservierungen lässt sich archivieren. Setze zuerst seine Menge auf 0.',
  createBulkChange:
    'Von dir laufen schon so viele Änderungen, wie der Dienst annimmt. Warte, bis eine fertig ist, oder brich sie ab.',
  applyBulkChange:
    'Diese Änderung lässt sich nicht mehr übernehmen: Sie läuft schon, ist fertig oder wurde abgebrochen.',
  undoBulkChange:
    'Diese Änderung lässt sich nicht mehr rückgängig machen: Sie ist es schon, oder sie ist älter als 7 Tage.',
  cancelBulkChange: 'Diese Änderung ist schon fertig oder abgebrochen.',
  createImport:
    'Es gibt schon so viele offene Importe, wie der Dienst annimmt, oder das Senden war zu lange unterbrochen. Übernimm oder lösche andere Importe, oder sende die Datei noch einmal.',
  deleteImport: 'Der Import wird gerade übernommen. Warte, bis das fertig ist.',
  planImport: 'Der Stand des Imports lässt keinen neuen Plan zu. Vielleicht hat ihn jemand übernommen.',
  applyImport:
    'Der Import lässt sich nicht mehr übernehmen: Jemand hat ihn übernommen oder abgebrochen, oder es ist nichts zu tun.',
  undoImport:
    'Der Import lässt sich nicht rückgängig machen: Er ist es schon, oder es gibt schon zu viele offene Importe.',
  cancelImport: 'Der Import ist schon übernommen oder abgebrochen.',
  setImportMapping:
    'Gemerkte Spalten mit diesem Namen gibt es schon, oder es sind schon so viele, wie der Dienst annimmt.',
  countPet: 'Die Inventur ist schon abgeschlossen oder abgebrochen.',
  closeStocktake:
    'Die Inventur ist schon beendet, oder ein Tier hätte mehr als die größte Menge. Nichts wurde geändert.',
  undoStocktake:
    'Die Inventur lässt sich nicht rückgängig machen: Sie läuft, wurde abgebrochen, ihr Verlauf wurde gelöscht, oder ein Tier hätte mehr als die größte Menge.',
  cancelStocktake:
    'Die Inventur ist schon beendet, oder ein Tier hätte mehr als die größte Menge. Nichts wurde geändert.',
  verifyLedger: 'Eine Prüfung läuft schon. Warte, bis sie fertig ist.',
  createWebhookEndpoint: 'Das Konto hat schon so viele Endpunkte, wie es haben darf. Lösche zuerst einen.',
  rotateWebhookSecret:
    'Das Geheimnis wurde schon erneuert, und das vorige signiert noch. Warte das ab, oder wähle keine Übergangszeit.',
  testWebhookEndpoint:
    'Das Konto hat schon so viele Nachrichten, die auf eine Antwort warten, wie der Dienst annimmt. Versuche es gleich noch einmal.',
  resendWebhookEvent:
    'Dieses Ereignis wird gerade gesendet oder ist noch an der Reihe, oder zu viele Nachrichten warten auf eine Antwort.',
  updateInventory: 'Das ist mehr als die größte Menge.',
  adjustInventory: 'Das wären mehr Stück als die größte Menge.',
  revertMovement:
    'Diese Änderung lässt sich nicht rückgängig machen: Sie ist es schon, oder sie gehört zu einer Bestellung, oder der Bestand bliebe gleich oder wäre größer als die größte Menge.',
  deliverOrder: 'Eine Position hat nicht mehr so viele offene Stück. Nichts wurde geändert.',
  returnOrder:
    'Eine Position hat nicht so viele gelieferte Stück, oder ein Tier hätte mehr als die größte Menge. Nichts wurde geändert.',
};

export const errors: typeof english = {
  codes: {
    malformed_request: 'Der Dienst konnte die Anfrage nicht lesen. Lade die Seite neu.',
    malformed_json: 'Der Dienst konnte die Anfrage nicht lesen. Lade die Seite neu.',
    validation_failed: 'Ein Feld hat einen Wert, der nicht erlaubt ist.',
    invalid_parameter: 'Die Adresse oder ein Filter hat einen Wert, der nicht erlaubt ist.',
    invalid_idempotency_key: 'Der Dienst konnte die Anfrage nicht lesen. Lade die Seite neu.',
    missing_api_key: 'Du bist nicht angemeldet.',
    invalid_api_key: 'Dieser Schlüssel gilt nicht.',
    expired_api_key: 'Dein Schlüssel ist abgelaufen. Ein Administrator kann dir einen anderen geben.',
    revoked_api_key: 'Dein Schlüssel wurde widerrufen. Ein Administrator kann dir einen anderen geben.',
    session_ended: 'Die Sitzung ist beendet. Melde dich wieder an.',
    insufficient_scope: 'Deine Rolle erlaubt das nicht.',
    cross_site_request:
      'Der Dienst hat die Anfrage abgelehnt, weil sie von einer anderen Website zu kommen scheint. Öffne das Dashboard unter seiner eigenen Adresse.',
    insecure_connection: 'Der Dienst nimmt das nur über HTTPS an.',
    not_found: 'Das gibt es nicht mehr.',
    route_not_found: 'Der Dienst kennt diese Anfrage nicht. Lade die Seite neu.',
    method_not_allowed: 'Der Dienst kennt diese Anfrage nicht. Lade die Seite neu.',
    not_acceptable: 'Der Dienst konnte die Anfrage nicht lesen. Lade die Seite neu.',
    request_timeout: 'Die Anfrage hat zu lange gedauert. Versuche es noch einmal.',
    conflict: 'Der jetzige Stand lässt das nicht zu. Vielleicht wurde er inzwischen geändert.',
    code_in_use: 'Ein anderes Tier hat diesen Code.',
    idempotency_in_progress: 'Dieselbe Änderung läuft noch. Warte einen Moment.',
    insufficient_stock: 'Es sind nicht genug Stück da, oder sie sind für Bestellungen reserviert.',
    invalid_transition: 'Der Stand der Bestellung lässt diesen Schritt nicht zu.',
    operation_sunset: 'Das bietet der Dienst nicht mehr an. Lade die Seite neu.',
    history_pruned: 'Dieser Teil des Verlaufs wurde gelöscht.',
    disk_full: 'Die Festplatte des Dienstes ist voll. Der Betreiber muss Platz schaffen.',
    precondition_failed: 'Das wurde inzwischen geändert. Sieh dir zuerst den jetzigen Stand an.',
    body_too_large: 'Das ist mehr, als der Dienst annimmt.',
    unsupported_media_type: 'Diese Art von Datei nimmt der Dienst nicht an.',
    idempotency_key_reused: 'Der Dienst konnte die Anfrage nicht lesen. Lade die Seite neu.',
    rate_limit_exceeded: 'Das waren zu viele Anfragen. Versuche es in einer Minute wieder.',
    daily_quota_exceeded: 'Die Anfragen für heute sind aufgebraucht.',
    api_key_banned: 'Dieser Schlüssel ist eine Weile gesperrt, weil er zu viele Anfragen gesendet hat.',
    headers_too_large: 'Der Dienst konnte die Anfrage nicht lesen. Lade die Seite neu.',
    internal_error:
      'Im Dienst ist ein Fehler aufgetreten. Versuche es noch einmal; wenn es wieder geschieht, nenne dem Betreiber die Uhrzeit.',
    service_unavailable: 'Der Dienst kann das jetzt nicht tun. Versuche es gleich noch einmal.',
    offline: 'Der Dienst ist nicht erreichbar.',
    outdated_page: 'Der Dienst hat eine neue Version. Lade die Seite neu.',
    not_loaded:
      'Dieser Teil des Dashboards konnte nicht geladen werden: Die Verbindung war weg, oder der Dienst hat eine neue Version.',
    copy_refused: 'Der Browser hat das Kopieren verweigert. Markiere den Text und kopiere ihn von Hand.',
    refused: 'Der Dienst hat es abgelehnt.',
    unexpected: 'Im Dashboard ist ein Fehler aufgetreten. Lade die Seite neu.',
  },
  conflict: (operation) => CONFLICTS[operation],
  facts: ({ role, petId, quantity }) =>
    role === undefined
      ? `Tier ${petId} hat ${quantity}\u00A0Stück.`
      : `Dafür braucht es die Rolle ${app.roles[role]}.`,
  withDetail: (text, detail) => `${text} Meldung des Dienstes: „${detail}“`,
};
