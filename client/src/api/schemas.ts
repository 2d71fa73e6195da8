// Written by "npm run openapi" from openapi.json.

/** The body of every error. */
export interface ErrorBody {
  readonly code: ErrorCode;
  /** Human-readable description. */
  readonly message: string;
  /** The HTTP status code. */
  readonly status: number;
}

/**
 * A machine-readable code. `x-error-codes` of this document lists all. Codes may be added; treat an
 * unknown code by its status.
 */
export type ErrorCode =
  /** The path or a header is malformed, or there are two `Authorization` headers. */
  | 'malformed_request'
  /** The body is not JSON. */
  | 'malformed_json'
  /** The body lacks a required member, has an invalid value, or has an unknown member where those are refused; the message names it. */
  | 'validation_failed'
  /** A parameter of the path or the query is invalid; the message names it. */
  | 'invalid_parameter'
  /** The `Idempotency-Key` header is malformed. */
  | 'invalid_idempotency_key'
  /** The request has no API key. */
  | 'missing_api_key'
  /** The API key is unknown, malformed, or of the other environment. */
  | 'invalid_api_key'
  /** The API key has expired. */
  | 'expired_api_key'
  /** The API key was revoked. */
  | 'revoked_api_key'
  /** The API key is restricted and lacks the scope of this operation. */
  | 'insufficient_scope'
  /** There is nothing with the id that the request names: no such pet, movement, order or webhook endpoint. */
  | 'not_found'
  /** There is nothing at this path. */
  | 'route_not_found'
  /** The path does not support the method; `Allow` lists the methods that it supports. */
  | 'method_not_allowed'
  /** The client does not accept the media type of the response. */
  | 'not_acceptable'
  /** The request did not arrive in time. */
  | 'request_timeout'
  /** The change contradicts the present state. The message and the headers describe that state; `Link` leads to the movements. */
  | 'conflict'
  /** A request with the same `Idempotency-Key` is in progress; repeat it after `Retry-After`. */
  | 'idempotency_in_progress'
  /** The stock, or what of it is not reserved, is smaller than the change would take. */
  | 'insufficient_stock'
  /** The status of the order does not allow the step; the message has the status and the possible steps. */
  | 'invalid_transition'
  /** The operation is past its sunset. */
  | 'operation_sunset'
  /** The operator has pruned this part of the ledger. */
  | 'history_pruned'
  /** The resource is not one that `If-Match` names, or is one that `If-None-Match` of a write names. */
  | 'precondition_failed'
  /** The body is larger than the operation accepts: 16 KiB; an order, its deliveries and returns, a webhook endpoint and saved views 64 KiB; a mapping of imports 256 KiB; a batch 1 MiB; a bulk change 2 MiB. */
  | 'body_too_large'
  /** The media type of the body is not supported. */
  | 'unsupported_media_type'
  /** The `Idempotency-Key` was used before, for another request. */
  | 'idempotency_key_reused'
  /** The requests of the minute are used up; wait for the seconds in `Retry-After`. */
  | 'rate_limit_exceeded'
  /** The requests of the day are used up; wait for the seconds in `Retry-After`. */
  | 'daily_quota_exceeded'
  /** The API key is banned temporarily, because its requests did not wait after a 429. */
  | 'api_key_banned'
  /** The headers are larger than the server reads. */
  | 'headers_too_large'
  /** An error of the service; report the `X-Request-Id`. */
  | 'internal_error'
  /** The service cannot do it now; repeat it after `Retry-After`. Nothing changed, unless the message states that the change could not be confirmed. */
  | 'service_unavailable'
  /** The disk of the database has no room for the file; nothing of it was kept. */
  | 'disk_full'
  | (string & {});

/** Oldest first (`asc`), or newest first (`desc`). */
export type MovementOrder = "asc" | "desc";

export type WholeNumber = number;

export type EntityTags = string;

/** The stock of one pet. */
export interface InventoryItem {
  readonly petId: PetId;
  readonly quantity: Quantity;
  readonly status: PetStatus;
}

/** The id of a pet. An exact 64-bit integer: read it as one. */
export type PetId = bigint;

/** The id of a pet. An exact 64-bit integer: read it as one. */
export type PetIdInput = bigint | number | string;

/** A stock count. */
export type Quantity = number;

/** Stock status of a pet. */
export type PetStatus = "available" | "pending" | "sold";

/** A stock count to set, and its explanation. */
export interface InventoryUpdate {
  /** The new stock count. */
  readonly quantity: number;
  readonly changeFromQuantity?: SeenQuantity | undefined;
  readonly reason?: Reason | null | undefined;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAtInput | undefined;
}

/**
 * The quantity that you have seen. If it is another one now, nothing changes and the response is 409
 * `conflict`.
 */
export type SeenQuantity = number;

/** Why stock changes. */
export type Reason = "correction" | "cycle_count" | "received" | "restock" | "returned" | "damaged" | "shrinkage" | "promotion" | "sold" | "other";

/** A remark on the change. */
export type Note = string | null;

/** An absolute URI of the document behind the change. */
export type ReferenceDocumentUri = string | null;

/** The client’s own id for the cause of the change. */
export type ReferenceId = string | null;

/**
 * When the change happened in the shop, by the client’s clock, to the millisecond. `recordedAt` is
 * when the service recorded it.
 */
export type OccurredAt = string | null;

/**
 * When the change happened in the shop, by the client’s clock, to the millisecond. `recordedAt` is
 * when the service recorded it.
 */
export type OccurredAtInput = string | Date | null;

/** The stock of one pet, with its reservations, alert level and version. */
export interface InventoryDetail {
  readonly petId: PetId;
  readonly quantity: Quantity;
  readonly status: PetStatus;
  readonly reserved: Reserved;
  /** The quantity minus the reserved units; below 0 after a recount that found fewer than are reserved. */
  readonly available: number;
  /** The level of the available units; `null` if there are enough. */
  readonly alertLevel: AlertLevel | null;
  /** The pet’s own threshold of `low`; `null`: that of the shop applies. */
  readonly lowStockAt: number | null;
  /** Its own threshold that ends an alert; `null`: the next number after the threshold. */
  readonly restockAt: number | null;
  /**
   * For how many days the available units last at the average rate of sales of the last 30 days; `null`
   * without a sale.
   */
  readonly daysOfStock: number | null;
  readonly version: Version;
  /** When the item was last changed. */
  readonly updatedAt: string;
  /** The name of the animal. */
  readonly name: string | null;
  /** The kind of animal. */
  readonly category: string | null;
}

/** Units promised to open orders. */
export type Reserved = number;

/**
 * What the available units call for: at most the threshold (`low`), none (`out`), or fewer than none
 * (`oversold`).
 */
export type AlertLevel = "low" | "out" | "oversold";

/** The number of changes of an item. */
export type Version = number;

/** A change of a quantity, and its reason. */
export interface InventoryAdjustment {
  /** The change of the quantity: above 0 adds, below 0 takes away. */
  readonly delta: number;
  readonly reason: Reason;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAtInput | undefined;
  readonly changeFromQuantity?: SeenQuantity | undefined;
  readonly takeReserved?: TakeReserved | undefined;
}

/**
 * Whether the change may take units that open orders reserve. Then fewer are available than are
 * reserved. Without it such a change is 409 `insufficient_stock`.
 */
export type TakeReserved = boolean;

/** A status to set, and its explanation. */
export interface InventoryStatus {
  readonly status: PetStatus;
  readonly changeFromQuantity?: SeenQuantity | undefined;
  readonly reason?: Reason | null | undefined;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAtInput | undefined;
}

/** The result of a batch. */
export interface InventoryBatchResult {
  /** Identifies these changes and the stock of all that they touch, as it was before. */
  readonly planId: string;
  /** Whether it was a dry run. */
  readonly dryRun: boolean;
  /** The number of applied rows; 0 in a dry run. */
  readonly applied: number;
  /** One result per change, in the same order. */
  readonly rows: readonly BatchRow[];
}

/** The result of one change, with the stock before and after it. */
export interface BatchRow {
  readonly petId: PetId;
  /**
   * `done`, or the error code that the change alone would return. Codes may be added; treat an unknown
   * code as a refusal.
   */
  readonly code: string;
  /** Why the row was refused; `null` if it was done. */
  readonly message: string | null;
  /** The stock before the row; `null` if there is no such pet. */
  readonly before: BatchStock | null;
  /** The stock after the row; `null` if the row was refused. */
  readonly after: BatchStock | null;
  /** The recorded movement; `null` if nothing was recorded, as in a dry run. */
  readonly sequence: number | null;
}

/** The stock of a pet before or after a row. */
export interface BatchStock {
  readonly quantity: Quantity;
  readonly reserved: Reserved;
  readonly status: PetStatus;
  readonly version: Version;
  /**
   * The `ETag` of the item with its quotes, for the `ifMatch` of a next change; `null` for a stock that
   * exists only in a dry run.
   */
  readonly etag: string | null;
}

/** Changes of many pets in one request. */
export interface InventoryBatch {
  /** The changes in their order; a pet may occur more than once. */
  readonly changes: readonly BatchChange[];
  readonly errorPolicy?: ErrorPolicy | undefined;
  /** Returns the result of each row and changes nothing. */
  readonly dryRun?: boolean | undefined;
  /**
   * The `planId` of a dry run of the same changes. They are applied only if nothing that they touch has
   * changed since.
   */
  readonly planId?: string | undefined;
}

/** A row of a batch: a quantity to set, a delta with its reason, or a movement to revert. */
export type BatchChange = BatchQuantity | BatchAdjustment | BatchRevert;

/** A row that sets a quantity. */
export interface BatchQuantity {
  readonly petId: PetIdInput;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAtInput | undefined;
  readonly changeFromQuantity?: SeenQuantity | undefined;
  readonly ifMatch?: RowIfMatch | undefined;
  /** The new stock count. */
  readonly quantity: number;
  readonly reason?: Reason | null | undefined;
}

/**
 * The `If-Match` of this pet: one `ETag` of the item, with its quotes, or `*`. A list is not allowed
 * here.
 */
export type RowIfMatch = string;

/** A row that adds to a quantity or takes from it. */
export interface BatchAdjustment {
  readonly petId: PetIdInput;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAtInput | undefined;
  readonly changeFromQuantity?: SeenQuantity | undefined;
  readonly ifMatch?: RowIfMatch | undefined;
  /** The change of the quantity: above 0 adds, below 0 takes away. */
  readonly delta: number;
  readonly reason: Reason;
  readonly takeReserved?: TakeReserved | undefined;
}

/** A row that reverts a movement. */
export interface BatchRevert {
  readonly petId: PetIdInput;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAtInput | undefined;
  readonly changeFromQuantity?: SeenQuantity | undefined;
  readonly ifMatch?: RowIfMatch | undefined;
  readonly revert: RevertedSequence;
  readonly reason?: Reason | null | undefined;
  readonly takeReserved?: TakeReserved | undefined;
}

/** The sequence of the movement of this pet that the row reverts, as `revertMovement` does. */
export type RevertedSequence = number;

/**
 * The effect of a refused row: nothing changes (`reject_everything`), or the other rows are applied
 * (`reject_failed_rows`).
 */
export type ErrorPolicy = "reject_everything" | "reject_failed_rows";

/** One record of the ledger: a change of one pet’s stock, reservations or thresholds. */
export interface Movement {
  readonly sequence: Sequence;
  readonly petId: PetId;
  readonly version: Version;
  readonly kind: MovementKind;
  /** The change of the quantity. */
  readonly delta: number;
  readonly quantityBefore: Quantity;
  readonly quantityAfter: Quantity;
  /** The status before; `null` where the movement added the pet. */
  readonly statusBefore: PetStatus | null;
  readonly statusAfter: PetStatus;
  readonly reservedBefore: Reserved;
  readonly reservedAfter: Reserved;
  readonly alertBefore: AlertLevel | null;
  readonly alertAfter: AlertLevel | null;
  /** What the change reports: a more severe level, or the end of all (`back`); otherwise `null`. */
  readonly alert: Alert | null;
  /** The order of which it is a step. */
  readonly orderId: number | null;
  readonly reason: Reason | null;
  readonly note: Note;
  readonly referenceDocumentUri: ReferenceDocumentUri;
  readonly referenceId: ReferenceId;
  readonly occurredAt: OccurredAt;
  /** When it was recorded; never earlier than the movement before. */
  readonly recordedAt: string;
  readonly actor: Actor;
  /** The `X-Request-Id` of the request that made it; `null` for the operator and for the service. */
  readonly requestId: string | null;
  /** The movement that it reverts. */
  readonly revertedSequence: number | null;
  /** The pet’s movement before it. */
  readonly previousSequence: number | null;
  readonly hash: Sha256;
}

/** The place of a movement in the ledger. Sequences have no gaps. */
export type Sequence = number;

/**
 * The source of a movement: an import, the operation that changed the stock, a step of an order, or
 * new thresholds. An `import` with a `revertedSequence` is the last movement of a pet that was
 * deleted.
 */
export type MovementKind = "import" | "set" | "adjust" | "status" | "revert" | "reserve" | "release" | "deliver" | "return" | "thresholds";

/** A more severe level, or the end of all levels. */
export type Alert = "low" | "out" | "oversold" | "back";

/** The author of a movement, of an order or of an action. */
export interface Actor {
  /** The API key or management key; `null` for the operator and for the service. */
  readonly keyId: string | null;
  /** The name of the key; `cli` for the operator, `service` for the service. */
  readonly name: string;
}

/** SHA-256 over the hash of the record before, a movement or a prune, and the other fields. */
export type Sha256 = string;

/** The explanation of a revert. */
export interface MovementRevert {
  readonly reason?: Reason | null | undefined;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAtInput | undefined;
  readonly changeFromQuantity?: SeenQuantity | undefined;
  readonly takeReserved?: TakeReserved | undefined;
}

/** The result of recomputing every hash and every balance. */
export interface LedgerAudit {
  /** Pets whose balance was recomputed. */
  readonly pets: WholeNumber;
  /** Movements in the ledger. */
  readonly movements: WholeNumber;
  /**
   * Movements whose hash was recomputed. The others were retained by the newest prune, whose digest
   * covers them.
   */
  readonly hashesChecked: WholeNumber;
  /** The retention start of the newest prune. */
  readonly retentionStart: {
    /** Movements up to this one may be deleted; 0 without a prune. */
    readonly sequence: WholeNumber;
    /** Time of that movement; `null` without a prune. */
    readonly recordedAt: string | null;
  };
  /** All prunes, the oldest first. */
  readonly prunes: readonly Prune[];
  /** The newest record of the ledger. Keep it: it proves later that nothing before it changed. */
  readonly head: {
    /** The newest movement of the audit. */
    readonly sequence: WholeNumber;
    /** Its hash, over all before it; of a prune, if one was made after it. */
    readonly hash: Sha256;
  };
  /** Whether no fault was found. */
  readonly isIntact: boolean;
  /** The first movement that is wrong. */
  readonly firstBadSequence: number | null;
  /** One sentence per fault. */
  readonly faults: readonly string[];
}

/** The record of a prune. It is part of the ledger’s chain of hashes. */
export interface Prune {
  /** 1 for the first prune, and one more for each. */
  readonly number: WholeNumber;
  /** The newest movement at the time of the prune: its place in the chain of hashes. */
  readonly afterSequence: WholeNumber;
  /** The retention start that it made. */
  readonly start: {
    readonly sequence: Sequence;
    /** Time of that movement. */
    readonly recordedAt: string;
    /** The hash of that movement. */
    readonly hash: Sha256;
  };
  /** The prune determined the newest movement of each pet up to this movement. */
  readonly decidedSequence: WholeNumber;
  /** Retained movements up to the retention start: the newest movement of each pet. */
  readonly retained: WholeNumber;
  /** SHA-256 over those movements. */
  readonly retainedDigest: Sha256;
  /** Deleted movements. */
  readonly deleted: WholeNumber;
  /** The author of the prune. */
  readonly actor: {
    /** `null` for the operator. */
    readonly keyId: string | null;
  };
  /** When it was made. */
  readonly recordedAt: string;
  /** The hash of the record before it in the chain, a movement or a prune. */
  readonly previousHash: Sha256;
  /** SHA-256 over that hash, the hash of the prune before, and the other fields. */
  readonly hash: Sha256;
}

/** A request for units of one or more pets. */
export interface Order {
  readonly orderId: OrderId;
  readonly status: OrderStatus;
  /** 1 when placed, and one more for each step. */
  readonly version: number;
  /** One line per pet, in the order of the request. */
  readonly lines: readonly OrderLine[];
  readonly referenceId: ReferenceId;
  readonly note: Note;
  /** When the order expires unless it is approved before; `null`: never. */
  readonly expiresAt: string | null;
  /** When it was placed. */
  readonly createdAt: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  readonly actor: Actor;
}

/** The id of an order. */
export type OrderId = number;

/** The state of an order: its units are reserved while it is `placed` or `approved`. */
export type OrderStatus = "placed" | "approved" | "delivered" | "cancelled" | "expired";

/** The units of one pet in an order. */
export interface OrderLine {
  readonly petId: PetId;
  readonly quantity: OrderedUnits;
  /** Units delivered, also those that came back. */
  readonly delivered: Quantity;
  /** Delivered units that came back. */
  readonly returned: Quantity;
  /** Units that the order still reserves. */
  readonly reserved: Reserved;
}

/** Units ordered. */
export type OrderedUnits = number;

/** The lines of an order, and its explanation. */
export interface OrderPlacement {
  /** One line per pet. */
  readonly lines: readonly OrderPlacementLine[];
  /**
   * When the order expires unless it is approved before; `null`: never. Without it, after the hold time
   * of the shop.
   */
  readonly expiresAt?: string | Date | null | undefined;
  readonly reason?: Reason | null | undefined;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAtInput | undefined;
}

/** The units of one pet to order. */
export interface OrderPlacementLine {
  readonly petId: PetIdInput;
  /** The units to reserve. */
  readonly quantity: OrderedUnits;
}

/** A part of an order, and the explanation of the step. */
export interface OrderPart {
  /** The units to move, one line per pet; without it, all units that are left. */
  readonly lines?: readonly PartLine[] | undefined;
  readonly reason?: Reason | null | undefined;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAtInput | undefined;
}

/** Units of one line of an order. */
export interface PartLine {
  readonly petId: PetIdInput;
  /** The units to move; without it, all that are left. */
  readonly quantity?: OrderedUnits | undefined;
}

/** The explanation of a step. The movements of the step record it. */
export interface OrderExplanation {
  readonly reason?: Reason | null | undefined;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAtInput | undefined;
}

/** A URL that receives events, and the state of its deliveries. */
export interface WebhookEndpoint {
  readonly id: WebhookEndpointId;
  /** The id of its account. */
  readonly accountId: string;
  readonly url: WebhookUrl;
  readonly description: WebhookDescription;
  readonly types: WebhookTypes;
  readonly petIds: WebhookPetIds;
  readonly statuses: WebhookStatuses;
  /** The number of changes of the endpoint. */
  readonly version: Version;
  /** When it was made. */
  readonly createdAt: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Since when nothing is sent to it; `null`: it is active. */
  readonly pausedAt: string | null;
  /**
   * `requested`: by a request; `failing`: it failed for 3 days; `gone`: it answered 410. Reasons may be
   * added.
   */
  readonly pauseReason: string | null;
  /** Until when the previous secret signs too, after a rotation. */
  readonly previousSecretExpiresAt: string | null;
  /**
   * The place among the events up to which all are delivered, or do not match: the part of an id before
   * its `-`.
   */
  readonly lastEventId: string;
  /** Since when the delivery of the next event fails. */
  readonly failingSince: string | null;
  /** Failed attempts to deliver the next event. */
  readonly failures: WholeNumber;
  /** When the next attempt follows. */
  readonly retryAt: string | null;
}

/** The id of a webhook endpoint. */
export type WebhookEndpointId = string;

/**
 * Where events are sent: a URL with `https:`, without a user name, on a public address. A fragment is
 * not sent.
 */
export type WebhookUrl = string;

/** A remark for people, without U+0000. */
export type WebhookDescription = string | null;

/** Only events of these types; `null`: of all types, also of those that later releases add. */
export type WebhookTypes = readonly WebhookEventType[] | null;

/**
 * The type of an event: `inventory.changed`, `inventory.low`, `inventory.out`, `inventory.back`,
 * `inventory.oversold`, `order.placed`, `order.approved`, `order.delivered`, `order.cancelled`,
 * `order.expired`, `order.returned`, `api_key.banned`, `quota.reached`, `webhook_endpoint.paused`.
 * Types may be added.
 */
export type WebhookEventType = string;

/**
 * Only events of these pets, each named one time; `null`: of all pets. An order matches with one of
 * its lines.
 */
export type WebhookPetIds = readonly PetId[] | null;

/**
 * Only events of these pets, each named one time; `null`: of all pets. An order matches with one of
 * its lines.
 */
export type WebhookPetIdsInput = readonly PetIdInput[] | null;

/** Only movements after which the pet has one of these statuses, and all other events; `null`: all. */
export type WebhookStatuses = readonly PetStatus[] | null;

/** An endpoint and its new secret. */
export interface WebhookEndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  /** The secret that signs the messages (Standard Webhooks). It is shown only now. */
  readonly secret: string;
}

/** An endpoint to make. A filter that is missing does not restrict the events. */
export interface WebhookEndpointRequest {
  readonly url: WebhookUrl;
  readonly description?: WebhookDescription | undefined;
  readonly types?: WebhookTypes | undefined;
  readonly petIds?: WebhookPetIdsInput | undefined;
  readonly statuses?: WebhookStatuses | undefined;
}

/** New values of an endpoint. A member that is missing keeps its value. */
export interface WebhookEndpointChanges {
  readonly url?: WebhookUrl | undefined;
  readonly description?: WebhookDescription | undefined;
  readonly types?: WebhookTypes | undefined;
  readonly petIds?: WebhookPetIdsInput | undefined;
  readonly statuses?: WebhookStatuses | undefined;
}

/** How to replace a secret. */
export interface WebhookSecretRotation {
  /** For how long the old secret signs too; 86400 by default. */
  readonly overlapSeconds?: number | undefined;
}

/** An attempt to deliver an event. */
export interface WebhookAttempt {
  /** The count of the attempts of the endpoint. */
  readonly number: WholeNumber;
  /** The `webhook-id` of the message. */
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** 1 for the first attempt of this event since the last success. */
  readonly attempt: WholeNumber;
  /** When it began. */
  readonly attemptedAt: string;
  /** How long it took, in milliseconds. */
  readonly durationMs: WholeNumber;
  /** The status of the response. */
  readonly statusCode: number | null;
  /** Why it failed, as a sentence; `null` for a success. */
  readonly error: string | null;
  /** Why it failed; `null` for a success. */
  readonly errorCode: "error_status" | "timeout" | "name_not_resolved" | "connection_refused" | "connection_failed" | "tls_failed" | "invalid_response" | "address_not_allowed" | "aborted" | null;
  /** The code of the system or of TLS, or the name that has no address, where there is one. */
  readonly errorDetail: string | null;
  /** The beginning of the body of the response. */
  readonly response: string | null;
}

/** A pet with its names, codes and stock. */
export interface CatalogPet {
  readonly petId: PetId;
  /** The name of the animal. */
  readonly name: string | null;
  /** The kind of animal. */
  readonly category: string | null;
  /** The article number of the shop, which no other pet has; `null`: none. */
  readonly sku: string | null;
  /** The barcodes, which no other pet has. */
  readonly barcodes: readonly Barcode[];
  readonly quantity: Quantity;
  readonly reserved: Reserved;
  /** The quantity minus the reserved units; below 0 after a recount that found fewer than are reserved. */
  readonly available: number;
  readonly status: PetStatus;
  /** The level of the available units; `null` if there are enough. */
  readonly alertLevel: AlertLevel | null;
  readonly version: Version;
}

/**
 * A code as it was typed. One of 8, 12, 13 or 14 digits is a GTIN with a right check digit, not all
 * zeros, and is the same code with zeros before it.
 */
export type Barcode = string;

/** The stock of all pets, added up by status. */
export interface StoreInventory {
  /** The stock that is available. An exact integer, which may be larger than 2^53. */
  readonly available: bigint;
  /** The stock that is pending. An exact integer, which may be larger than 2^53. */
  readonly pending: bigint;
  /** The stock that is sold. An exact integer, which may be larger than 2^53. */
  readonly sold: bigint;
  /** The units that open orders reserve. An exact integer, which may be larger than 2^53. */
  readonly reservedUnits: bigint;
  /** The stock of any status minus the reserved units. An exact integer, which may be larger than 2^53. */
  readonly availableUnits: bigint;
}

/** An animal of the shop, without its stock. */
export interface Pet {
  readonly petId: PetId;
  /** The name of the animal. */
  readonly name: string | null;
  /** The kind of animal. */
  readonly category: string | null;
  readonly status: PetStatus;
}

/** The plan of the account, both windows, and any ban of this key. */
export interface RateLimit {
  readonly plan: Plan;
  readonly minute: RateLimitWindow;
  readonly day: RateLimitWindow;
  /** The running ban of this API key; `null` without one. */
  readonly ban: Ban | null;
}

/** A plan of an account. */
export type Plan = "free" | "pro" | "business" | "enterprise";

/** The present state of one fixed UTC window. */
export interface RateLimitWindow {
  /** Requests that the window admits. */
  readonly limit: WholeNumber;
  /** Requests that remain until the reset. */
  readonly remaining: WholeNumber;
  /** When the window resets, in Unix seconds. */
  readonly reset: WholeNumber;
}

/** A temporary ban of an API key. */
export interface Ban {
  /** When the ban ends, in Unix seconds. */
  readonly until: WholeNumber;
}

/** The `data` of each event of webhooks. */
export interface WebhookEventData {
  readonly 'inventory.changed': Movement;
  readonly 'inventory.low': Movement;
  readonly 'inventory.out': Movement;
  readonly 'inventory.back': Movement;
  readonly 'inventory.oversold': Movement;
  /** An order after a step, and the author of the step. */
  readonly 'order.placed': {
    readonly order: Order;
    readonly actor: Actor;
  };
  /** An order after a step, and the author of the step. */
  readonly 'order.approved': {
    readonly order: Order;
    readonly actor: Actor;
  };
  /** An order after a step, and the author of the step. */
  readonly 'order.delivered': {
    readonly order: Order;
    readonly actor: Actor;
  };
  /** An order after a step, and the author of the step. */
  readonly 'order.cancelled': {
    readonly order: Order;
    readonly actor: Actor;
  };
  /** An order after a step, and the author of the step. */
  readonly 'order.expired': {
    readonly order: Order;
    readonly actor: Actor;
  };
  /** An order after a step, and the author of the step. */
  readonly 'order.returned': {
    readonly order: Order;
    readonly actor: Actor;
  };
  /** A key that is refused for some time. */
  readonly 'api_key.banned': {
    /** The id of the account. */
    readonly accountId: string;
    /** The id of the key. */
    readonly keyId: string;
    /** The key without its secret part. */
    readonly hint: string;
    /** The place among bans that follow each other: each is longer than the last. */
    readonly level: WholeNumber;
    /** When the ban began. */
    readonly bannedAt: string;
    /** When the ban ends. */
    readonly endsAt: string;
  };
  /** The use of the requests of a day. */
  readonly 'quota.reached': {
    /** The id of the account. */
    readonly accountId: string;
    /** The share of the limit that is used. */
    readonly percent: WholeNumber;
    /** Requests per UTC day. */
    readonly limit: WholeNumber;
    /** Requests of this UTC day. */
    readonly used: WholeNumber;
    /** When the day ends. */
    readonly windowEndsAt: string;
  };
  /** An endpoint that gets no more events. */
  readonly 'webhook_endpoint.paused': {
    readonly id: WebhookEndpointId;
    /** Its URL without the values of its query. */
    readonly url: string;
    /**
     * `requested`: by a request; `failing`: it failed for 3 days; `gone`: it answered 410. Reasons may be
     * added.
     */
    readonly pauseReason: string;
    /** When it was paused. */
    readonly pausedAt: string;
  };
  /** The endpoint that is tested. */
  readonly 'webhook.test': {
    readonly endpointId: WebhookEndpointId;
  };
}

/** The parameters of `listInventory`. */
export interface ListInventoryQuery {
  /**
   * Items per page. Without it and `cursor` the response has all items; with `cursor` alone a page has
   * 100.
   */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
  /** The stock at this moment, which must not be in the future. Excludes `atSequence`. */
  readonly asOf?: string | Date | undefined;
  /** The stock after this movement. Excludes `asOf`. */
  readonly atSequence?: WholeNumber | undefined;
  /** Only pets of this status. */
  readonly status?: PetStatus | undefined;
  /** Only pets with this quantity or less. */
  readonly quantityLte?: WholeNumber | undefined;
  /** Only pets with this quantity or more. */
  readonly quantityGte?: WholeNumber | undefined;
  /** Only pets with this many available units or fewer; may be below 0. */
  readonly availableLte?: number | undefined;
  /** Only pets of these alert levels, separated by commas. */
  readonly alert?: AlertLevel | readonly AlertLevel[] | undefined;
  /** Pets whose stock changed at this moment or later. */
  readonly updatedSince?: string | Date | undefined;
  /** Only these pets: up to 1,000 petIds in plain decimal, separated by commas. */
  readonly petId?: PetIdInput | readonly PetIdInput[] | undefined;
}

/** The parameters of `listItemMovements`. */
export interface ListItemMovementsQuery {
  /** Movements of this kind. */
  readonly kind?: MovementKind | undefined;
  /** Only movements with this reason. */
  readonly reason?: Reason | undefined;
  /**
   * Only movements of the API key or management key with this id, of the operator (`cli`), or of the
   * service (`service`).
   */
  readonly actor?: string | undefined;
  /** Only movements recorded at this moment or later. */
  readonly since?: string | Date | undefined;
  /** Only movements recorded before this moment. */
  readonly until?: string | Date | undefined;
  /** Only movements with a greater sequence. */
  readonly after?: WholeNumber | undefined;
  /** Only movements with a smaller sequence. */
  readonly before?: WholeNumber | undefined;
  /** Oldest first (`asc`, the default), or newest first (`desc`). */
  readonly order?: MovementOrder | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
}

/** The parameters of `listMovements`. */
export interface ListMovementsQuery {
  /** Only those of this pet, an exact 64-bit integer in plain decimal. */
  readonly petId?: PetIdInput | undefined;
  /** Movements of this kind. */
  readonly kind?: MovementKind | undefined;
  /** Only movements with this reason. */
  readonly reason?: Reason | undefined;
  /**
   * Only movements of the API key or management key with this id, of the operator (`cli`), or of the
   * service (`service`).
   */
  readonly actor?: string | undefined;
  /** Only movements recorded at this moment or later. */
  readonly since?: string | Date | undefined;
  /** Only movements recorded before this moment. */
  readonly until?: string | Date | undefined;
  /** Only movements with a greater sequence. */
  readonly after?: WholeNumber | undefined;
  /** Only movements with a smaller sequence. */
  readonly before?: WholeNumber | undefined;
  /** Oldest first (`asc`, the default), or newest first (`desc`). */
  readonly order?: MovementOrder | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
}

/** The parameters of `streamMovements`. */
export interface StreamMovementsQuery {
  /** The sequence after which the stream begins. `Last-Event-ID` takes precedence. */
  readonly after?: WholeNumber | undefined;
}

/** The parameters of `listOrders`. */
export interface ListOrdersQuery {
  /** Only orders of this status. */
  readonly status?: OrderStatus | undefined;
  /**
   * Only orders that need attention: `expiring`, placed orders that expire within 15 minutes;
   * `partly_delivered`, approved orders of which units are delivered.
   */
  readonly state?: "expiring" | "partly_delivered" | undefined;
  /** Only those of this pet, an exact 64-bit integer in plain decimal. */
  readonly petId?: PetIdInput | undefined;
  /** Only orders with exactly this `referenceId`. */
  readonly referenceId?: string | undefined;
  /** Only orders placed at this moment or later. */
  readonly createdSince?: string | Date | undefined;
  /** Oldest first (`asc`), or newest first (`desc`, the default). */
  readonly order?: MovementOrder | undefined;
  /** Orders per page; 20 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `replayWebhookEvents`. */
export interface ReplayWebhookEventsQuery {
  /**
   * The id of an event, such as `815.0-1a2b3c4d`, or its place, such as `815.0`. All later events
   * follow; `0.0` is before all.
   */
  readonly after: string;
}

/** The parameters of `listCatalog`. */
export interface ListCatalogQuery {
  /**
   * Words of name or category, in any order; the beginnings of words are enough. A text that is a
   * barcode, an SKU or a petId also finds the pet that has it, first and in this order.
   */
  readonly q?: string | undefined;
  /** Only the pet with exactly this SKU. Spaces around it do not count. */
  readonly sku?: string | undefined;
  /**
   * Only the pet with this barcode. A GTIN of 8, 12, 13 or 14 digits is found in each of these lengths,
   * and refused with a wrong check digit. Spaces around the barcode do not count.
   */
  readonly barcode?: string | undefined;
  /** Only pets of exactly this category. */
  readonly category?: string | undefined;
  /** Only pets of this status. */
  readonly status?: PetStatus | undefined;
  /** Only pets of these alert levels, separated by commas. */
  readonly alertLevel?: AlertLevel | readonly AlertLevel[] | undefined;
  /** Pets whose stock changed at this moment or later. */
  readonly updatedSince?: string | Date | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}
