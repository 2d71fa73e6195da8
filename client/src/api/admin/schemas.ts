// Written by "npm run openapi" from admin-openapi.json.

import type {
  MovementOrder,
  WholeNumber,
  EntityTags,
  PetId,
  PetIdInput,
  Quantity,
  PetStatus,
  Reserved,
  AlertLevel,
  Version,
  Barcode,
  Actor,
  Sequence,
  Note,
  OccurredAt,
  OccurredAtInput,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookUrl,
  WebhookDescription,
  WebhookTypes,
  WebhookEventType,
  WebhookPetIds,
  WebhookPetIdsInput,
  WebhookStatuses,
  WebhookEndpointWithSecret,
  WebhookEndpointChanges,
  WebhookSecretRotation,
  WebhookAttempt,
  InventoryItem,
  InventoryUpdate,
  SeenQuantity,
  Reason,
  ReferenceDocumentUri,
  ReferenceId,
  InventoryDetail,
  InventoryAdjustment,
  TakeReserved,
  InventoryStatus,
  InventoryBatchResult,
  BatchRow,
  BatchStock,
  InventoryBatch,
  BatchChange,
  BatchQuantity,
  RowIfMatch,
  BatchAdjustment,
  BatchRevert,
  RevertedSequence,
  ErrorPolicy,
  MovementKind,
  Alert,
  MovementRevert,
  Order,
  OrderId,
  OrderStatus,
  OrderLine,
  OrderedUnits,
  OrderPlacement,
  OrderPlacementLine,
  OrderPart,
  PartLine,
  OrderExplanation,
  StoreInventory,
  ReplayWebhookEventsQuery,
  ListInventoryQuery,
  ListItemMovementsQuery,
  ListMovementsQuery,
  StreamMovementsQuery,
  ListOrdersQuery,
} from '../schemas.ts';

export type {
  MovementOrder,
  WholeNumber,
  EntityTags,
  PetId,
  PetIdInput,
  Quantity,
  PetStatus,
  Reserved,
  AlertLevel,
  Version,
  Barcode,
  Actor,
  Sequence,
  Note,
  OccurredAt,
  OccurredAtInput,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookUrl,
  WebhookDescription,
  WebhookTypes,
  WebhookEventType,
  WebhookPetIds,
  WebhookPetIdsInput,
  WebhookStatuses,
  WebhookEndpointWithSecret,
  WebhookEndpointChanges,
  WebhookSecretRotation,
  WebhookAttempt,
  InventoryItem,
  InventoryUpdate,
  SeenQuantity,
  Reason,
  ReferenceDocumentUri,
  ReferenceId,
  InventoryDetail,
  InventoryAdjustment,
  TakeReserved,
  InventoryStatus,
  InventoryBatchResult,
  BatchRow,
  BatchStock,
  InventoryBatch,
  BatchChange,
  BatchQuantity,
  RowIfMatch,
  BatchAdjustment,
  BatchRevert,
  RevertedSequence,
  ErrorPolicy,
  MovementKind,
  Alert,
  MovementRevert,
  Order,
  OrderId,
  OrderStatus,
  OrderLine,
  OrderedUnits,
  OrderPlacement,
  OrderPlacementLine,
  OrderPart,
  PartLine,
  OrderExplanation,
  StoreInventory,
  ReplayWebhookEventsQuery,
  ListInventoryQuery,
  ListItemMovementsQuery,
  ListMovementsQuery,
  StreamMovementsQuery,
  ListOrdersQuery,
};

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
  /** The session of the dashboard has ended; sign in again. */
  | 'session_ended'
  /** The API key is restricted and lacks the scope of this operation. */
  | 'insufficient_scope'
  /** The cookie of a session came without the proof that a page of this service made the request. */
  | 'cross_site_request'
  /** Sessions need TLS, or an operator who allows them without it. */
  | 'insecure_connection'
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
  /** Another pet has the SKU or barcode; the message names the pet. */
  | 'code_in_use'
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

/** Facts about the running service. */
export interface SystemFacts {
  /** The release of the service. */
  readonly version: string;
  /** The runtime and its version. */
  readonly runtime: string;
  readonly environment: Environment;
  readonly engine: Engine;
  /** The size of the database on disk. */
  readonly databaseBytes: WholeNumber;
  /** The newest movement, and the last one that a prune may have deleted. */
  readonly ledger: {
    readonly head: LedgerPoint;
    readonly start: LedgerPoint;
  };
  readonly newestBackup: NewestBackup;
  /** When this instance started. */
  readonly startedAt: string;
  /** How long this instance runs. */
  readonly uptimeSeconds: WholeNumber;
  /** The instances on the database; `null` where that is not known. */
  readonly instances: number | null;
  readonly statusPolicy: StatusPolicy;
  /** The limits of this instance. */
  readonly limits: {
    /** The largest quantity of a pet. */
    readonly maxQuantity: WholeNumber;
    /** How long an order reserves its units; 0: without end. */
    readonly orderHoldSeconds: WholeNumber;
    /** Live streams of an instance. */
    readonly maxStreams: WholeNumber;
    /** Requests of an address without a valid key. */
    readonly addressPerMinute: WholeNumber;
    /** Requests of a management key. */
    readonly managementPerMinute: WholeNumber;
    /** Costly requests of a management key. */
    readonly managementCostlyPerMinute: WholeNumber;
    /** The largest file of an import. */
    readonly maxImportBytes: WholeNumber;
    /** The plans with fixed limits. */
    readonly plans: {
      readonly free: PlanLimits;
      readonly pro: PlanLimits;
      readonly business: PlanLimits;
    };
  };
}

/** The kind of keys. */
export type Environment = "production" | "staging";

/** The database. */
export type Engine = "sqlite" | "postgresql";

/** A place in the ledger. */
export interface LedgerPoint {
  /** The sequence of the movement; 0 before the first one. */
  readonly sequence: WholeNumber;
  /** When it was recorded. */
  readonly recordedAt: string | null;
}

/** The newest backup whose restore was verified; `null` before the first one. */
export type NewestBackup = {
  /** When its copy began. */
  readonly madeAt: string;
  /** How old it is. */
  readonly ageSeconds: WholeNumber;
  /** The newest movement in it; 0 without one. */
  readonly sequence: WholeNumber;
  /** The size of its file. */
  readonly bytes: WholeNumber;
} | null;

/** How the status of a pet follows its stock. */
export type StatusPolicy = "unchanged" | "sold-at-zero" | "follow-orders";

/** The requests that an account may make. */
export interface PlanLimits {
  /** Requests per minute. */
  readonly perMinute: WholeNumber;
  /** Requests per day. */
  readonly perDay: WholeNumber;
}

/** The state of the whole shop. */
export interface Overview {
  /** When `pets`, `alerts` and `categories` were counted. */
  readonly countedAt: string;
  readonly pets: PetTotals;
  /** Pets with an alert level: the most severe first, then those that changed last. */
  readonly alerts: readonly ManagedPet[];
  /** The categories with the most pets. */
  readonly categories: readonly CategoryTotals[];
  /** Pets of other categories. */
  readonly otherPets: WholeNumber;
  readonly orders: OpenOrders;
  readonly webhooks: EndpointStates;
  /** The last 24 UTC hours, the running one last. */
  readonly hours: readonly HourOfMovements[];
}

/** Numbers of pets. Only `archived` counts archived ones. */
export interface PetTotals {
  /** Pets that are not archived. */
  readonly total: WholeNumber;
  /** Pets that are archived. */
  readonly archived: WholeNumber;
  /** Pets with the status `available`. */
  readonly available: WholeNumber;
  /** Pets with the status `pending`. */
  readonly pending: WholeNumber;
  /** Pets with the status `sold`. */
  readonly sold: WholeNumber;
  /** Pets that are low. */
  readonly low: WholeNumber;
  /** Pets that are out. */
  readonly out: WholeNumber;
  /** Pets that are oversold. */
  readonly oversold: WholeNumber;
}

/** A pet with its stock. */
export interface ManagedPet {
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
  readonly version: Version;
  /** When the item was last changed. */
  readonly updatedAt: string;
  /** The name of the animal. */
  readonly name: string | null;
  /** The kind of animal. */
  readonly category: string | null;
  /** The article number of the shop, which no other pet has; `null`: none. */
  readonly sku: string | null;
  /** The barcodes, which no other pet has. */
  readonly barcodes: readonly Barcode[];
  /** When the pet was added. */
  readonly createdAt: string;
  /** When it was archived; `null` if it is not. */
  readonly archivedAt: string | null;
}

/** The pets of a category. */
export interface CategoryTotals {
  /** Its name; `null`: pets without one. */
  readonly category: string | null;
  /** Pets of the category. */
  readonly pets: WholeNumber;
  /** Their quantity, rounded where it is very large. */
  readonly units: WholeNumber;
  /** Pets of it with an alert level. */
  readonly alerts: WholeNumber;
}

/** Orders that wait. */
export interface OpenOrders {
  /** Placed orders, which wait for approval; at most 10000 are counted. */
  readonly placed: WholeNumber;
  /** Approved orders, which wait for delivery; at most 10000 are counted. */
  readonly approved: WholeNumber;
  /** Placed orders that expire within 15 minutes; at most 10000 are counted. */
  readonly expiring: WholeNumber;
}

/** States of webhook endpoints. */
export interface EndpointStates {
  /** All endpoints. */
  readonly endpoints: WholeNumber;
  /** Endpoints that are paused. */
  readonly paused: WholeNumber;
  /** Endpoints whose last delivery failed, and that are not paused. */
  readonly failing: WholeNumber;
}

/** The movements of an hour. */
export interface HourOfMovements {
  /** When the hour began. */
  readonly beganAt: string;
  /** Movements recorded in it. */
  readonly movements: WholeNumber;
}

/** A line of the activity log. */
export interface ActivityEntry {
  /** When it was done. */
  readonly recordedAt: string;
  readonly actor: Actor;
  /** The request; `null` for the command line. */
  readonly requestId: string | null;
  readonly action: ActivityAction;
  /** The id of what was changed; `null`: the shop. */
  readonly target: string | null;
  /**
   * The new values with the names of their fields, and of an edit of a pet the earlier ones, such as
   * `previousName`; without secrets. Members may be added.
   */
  readonly details: Readonly<Record<string, unknown>>;
}

/** What was done: a group and a verb. `x-actions` lists all; more may be added. */
export type ActivityAction = string;

/** An account, whose keys share its limits. */
export interface Account {
  readonly id: AccountId;
  /** Its unique name. */
  readonly name: string;
  /** Its plan: free, pro, business or enterprise. */
  readonly plan: string;
  /** Requests per minute. */
  readonly perMinute: WholeNumber;
  /** Requests per day. */
  readonly perDay: WholeNumber;
  /** When it was created. */
  readonly createdAt: string;
}

/** The id of an account. */
export type AccountId = string;

/** An account to create. */
export interface AccountCreation {
  /** A unique name. */
  readonly name: string;
  readonly plan: PlanName;
  /** Requests per minute; only for the enterprise plan, which needs it. */
  readonly perMinute?: number | undefined;
  /** Requests per day; only for the enterprise plan, which needs it. */
  readonly perDay?: number | undefined;
}

/** A plan. */
export type PlanName = "free" | "pro" | "business" | "enterprise";

/** The new values; members that are left out stay. */
export interface AccountUpdate {
  /** A unique name. */
  readonly name?: string | undefined;
  readonly plan?: PlanName | undefined;
  /** Requests per minute; only for the enterprise plan, which needs it. */
  readonly perMinute?: number | undefined;
  /** Requests per day; only for the enterprise plan, which needs it. */
  readonly perDay?: number | undefined;
}

/** The requests of an account over time. */
export interface AccountUsage {
  readonly unit: UsageUnit;
  /** When the first period begins. */
  readonly since: string;
  /** The last period begins before this moment. */
  readonly until: string;
  /** The requests of all periods. */
  readonly requests: WholeNumber;
  /** Oldest first. Periods without requests are left out. */
  readonly periods: readonly UsagePeriod[];
}

/** The length of the periods, in UTC. */
export type UsageUnit = "minute" | "hour" | "day";

/** The requests of a period. */
export interface UsagePeriod {
  /** When the period began. */
  readonly beganAt: string;
  /** The admitted requests of the period. */
  readonly requests: WholeNumber;
}

/** The requests of all accounts over time. */
export interface Usage {
  readonly unit: UsageUnit;
  /** When the first period begins. */
  readonly since: string;
  /** The last period begins before this moment. */
  readonly until: string;
  /** The requests of all periods. */
  readonly requests: WholeNumber;
  /** Oldest first. Periods without requests are left out. */
  readonly periods: readonly UsagePeriod[];
  /** The accounts with requests, the busiest first: 1000 at most. */
  readonly accounts: readonly UsageOfAccount[];
}

/** The requests of one account. */
export interface UsageOfAccount {
  readonly id: AccountId;
  /** The name of the account. */
  readonly name: string;
  /** Its requests in all periods. */
  readonly requests: WholeNumber;
  /**
   * Minutes or days in which it used the whole limit that it has now, so that any further request was
   * refused with 429. `null` for hours, which have no limit.
   */
  readonly fullPeriods: number | null;
}

/** A new API key with its secret. */
export interface CreatedKey {
  readonly id: KeyId;
  /** Its purpose. */
  readonly name: string;
  /** Enough of the key to recognise it. */
  readonly hint: string;
  /** Whether it works: active, revoked or expired. */
  readonly state: string;
  /** When it was created. */
  readonly createdAt: string;
  /** When it expires; `null`: never. */
  readonly expiresAt: string | null;
  /** When it was revoked; `null`: it was not. */
  readonly revokedAt: string | null;
  /** When it was last used, to the minute; `null`: never. */
  readonly lastUsedAt: string | null;
  /** The key that it replaced, or `null`. */
  readonly rotatedFrom: string | null;
  readonly accountId: AccountId;
  /** What it may do. */
  readonly scopes: readonly string[];
  /** The key itself. It is shown only in this response. */
  readonly key: string;
}

/** The id of a key. */
export type KeyId = string;

/** An API key to create. */
export interface KeyCreation {
  readonly accountId: AccountId;
  /** Its purpose; the name of the account by default. */
  readonly name?: string | undefined;
  /** What the key may do; everything by default. */
  readonly scopes?: readonly ("inventory:read" | "inventory:write" | "inventory:adjust" | "inventory:status" | "inventory:batch" | "movements:read" | "movements:revert" | "ledger:audit" | "pets:read" | "orders:read" | "orders:place" | "orders:approve" | "orders:deliver" | "orders:cancel" | "orders:return" | "webhooks:manage")[] | undefined;
  /** When it expires; never by default. */
  readonly expiresAt?: string | Date | undefined;
}

/** An API key of an account, without its secret. */
export interface Key {
  readonly id: KeyId;
  /** Its purpose. */
  readonly name: string;
  /** Enough of the key to recognise it. */
  readonly hint: string;
  /** Whether it works: active, revoked or expired. */
  readonly state: string;
  /** When it was created. */
  readonly createdAt: string;
  /** When it expires; `null`: never. */
  readonly expiresAt: string | null;
  /** When it was revoked; `null`: it was not. */
  readonly revokedAt: string | null;
  /** When it was last used, to the minute; `null`: never. */
  readonly lastUsedAt: string | null;
  /** The key that it replaced, or `null`. */
  readonly rotatedFrom: string | null;
  readonly accountId: AccountId;
  /** What it may do. */
  readonly scopes: readonly string[];
}

/** The key that replaces another one, with its secret. */
export interface RotatedKey {
  readonly id: KeyId;
  /** Its purpose. */
  readonly name: string;
  /** Enough of the key to recognise it. */
  readonly hint: string;
  /** Whether it works: active, revoked or expired. */
  readonly state: string;
  /** When it was created. */
  readonly createdAt: string;
  /** When it expires; `null`: never. */
  readonly expiresAt: string | null;
  /** When it was revoked; `null`: it was not. */
  readonly revokedAt: string | null;
  /** When it was last used, to the minute; `null`: never. */
  readonly lastUsedAt: string | null;
  /** The key that it replaced, or `null`. */
  readonly rotatedFrom: string | null;
  readonly accountId: AccountId;
  /** What it may do. */
  readonly scopes: readonly string[];
  /** The key itself. It is shown only in this response. */
  readonly key: string;
  /** When the old key expires. */
  readonly oldExpiresAt: string | null;
}

/** How to rotate a key. */
export interface KeyRotation {
  /** How long the old key still works; 86400 by default. */
  readonly overlapSeconds?: number | undefined;
  /** When the new key expires; by default it lives as long as the old one. */
  readonly expiresAt?: string | Date | undefined;
}

/** A temporary ban of an API key. */
export interface RunningBan {
  /** The banned key. */
  readonly keyId: string;
  /** Enough of the key to recognise it. */
  readonly hint: string;
  /** The name of its account. */
  readonly account: string;
  /** The number of bans in a row; each is longer than the one before. */
  readonly level: WholeNumber;
  /** When the ban began. */
  readonly bannedAt: string;
  /** When it ends. */
  readonly endsAt: string;
}

/** Result of lifting a ban. */
export interface LiftedBan {
  /** The key. */
  readonly keyId: string;
  /** Whether the key was banned. */
  readonly lifted: boolean;
}

/** A new management key with its secret. */
export interface CreatedAdminKey {
  readonly id: KeyId;
  /** Its purpose. */
  readonly name: string;
  /** Enough of the key to recognise it. */
  readonly hint: string;
  /** Whether it works: active, revoked or expired. */
  readonly state: string;
  /** When it was created. */
  readonly createdAt: string;
  /** When it expires; `null`: never. */
  readonly expiresAt: string | null;
  /** When it was revoked; `null`: it was not. */
  readonly revokedAt: string | null;
  /** When it was last used, to the minute; `null`: never. */
  readonly lastUsedAt: string | null;
  /** The key that it replaced, or `null`. */
  readonly rotatedFrom: string | null;
  /** Its role: viewer, staff or administrator. */
  readonly role: string;
  /** The key itself. It is shown only in this response. */
  readonly key: string;
}

/** A management key to create. */
export interface AdminKeyCreation {
  readonly role: Role;
  /** Its purpose; the role by default. */
  readonly name?: string | undefined;
  /** When it expires; never by default. */
  readonly expiresAt?: string | Date | undefined;
}

/** What a management key may do. */
export type Role = "viewer" | "staff" | "administrator";

/** A management key, without its secret. */
export interface AdminKey {
  readonly id: KeyId;
  /** Its purpose. */
  readonly name: string;
  /** Enough of the key to recognise it. */
  readonly hint: string;
  /** Whether it works: active, revoked or expired. */
  readonly state: string;
  /** When it was created. */
  readonly createdAt: string;
  /** When it expires; `null`: never. */
  readonly expiresAt: string | null;
  /** When it was revoked; `null`: it was not. */
  readonly revokedAt: string | null;
  /** When it was last used, to the minute; `null`: never. */
  readonly lastUsedAt: string | null;
  /** The key that it replaced, or `null`. */
  readonly rotatedFrom: string | null;
  /** Its role: viewer, staff or administrator. */
  readonly role: string;
}

/** The management key that replaces another one, with its secret. */
export interface RotatedAdminKey {
  readonly id: KeyId;
  /** Its purpose. */
  readonly name: string;
  /** Enough of the key to recognise it. */
  readonly hint: string;
  /** Whether it works: active, revoked or expired. */
  readonly state: string;
  /** When it was created. */
  readonly createdAt: string;
  /** When it expires; `null`: never. */
  readonly expiresAt: string | null;
  /** When it was revoked; `null`: it was not. */
  readonly revokedAt: string | null;
  /** When it was last used, to the minute; `null`: never. */
  readonly lastUsedAt: string | null;
  /** The key that it replaced, or `null`. */
  readonly rotatedFrom: string | null;
  /** Its role: viewer, staff or administrator. */
  readonly role: string;
  /** The key itself. It is shown only in this response. */
  readonly key: string;
  /** When the old key expires. */
  readonly oldExpiresAt: string | null;
}

/** A sign-in to the dashboard. */
export interface Session {
  /** The id of the session. */
  readonly sessionId: string;
  /** The management key of the session. The session ends with it. */
  readonly keyId: string;
  /**
   * The first one of the keys that led to this key by rotation, or this key: it stays the same for a
   * person.
   */
  readonly firstKeyId: string;
  /** The name of the key. */
  readonly name: string;
  /** The role of the key: viewer, staff or administrator. */
  readonly role: string;
  /** When the person signed in. */
  readonly createdAt: string;
  /** When the session was last used, to the minute. */
  readonly lastUsedAt: string;
  /** When the session ends if it is not used before. */
  readonly idleExpiresAt: string;
  /** When the session ends at the latest. */
  readonly expiresAt: string;
  /** Whether this request used it. */
  readonly isCurrent: boolean;
}

/** What proves who signs in. */
export type SignIn = {
  /** A management key. */
  readonly key: string;
} | {
  /** The code of a sign-in link, which works once. */
  readonly code: string;
};

/** The saved views of a person. */
export interface SavedViews {
  /** The views, up to 30, in the order of the person. */
  readonly views: readonly SavedView[];
}

/** What a person shows of a list, under a name. */
export interface SavedView {
  /** Its name. */
  readonly name: string;
  /** The list that it shows. */
  readonly list: "stock" | "orders";
  /** Search, filters and order, as in the address of the list. */
  readonly query: string;
  /** How high rows are; `null`: as the browser has it. */
  readonly density: "comfortable" | "dense" | null;
  /** Whether the list opens with it. */
  readonly isDefault: boolean;
}

/** All views of the person. */
export interface SavedViewsReplacement {
  /** The views, up to 30, in the order of the person. */
  readonly views: readonly SavedView[];
}

/** The thresholds of pets without their own. */
export interface DefaultThresholds {
  /** A pet is low at this number of available units, or fewer; `null`: never. */
  readonly lowStockAt: number | null;
  /**
   * A pet is no longer low at this number of available units, or more; `null`: at one more than
   * `lowStockAt`.
   */
  readonly restockAt: number | null;
}

/** The thresholds, and what they changed. */
export interface ChangedThresholds {
  /** A pet is low at this number of available units, or fewer; `null`: never. */
  readonly lowStockAt: number | null;
  /**
   * A pet is no longer low at this number of available units, or more; `null`: at one more than
   * `lowStockAt`.
   */
  readonly restockAt: number | null;
  /** The pets whose alert level changed. */
  readonly movements: WholeNumber;
}

/** The new thresholds. */
export interface NewThresholds {
  /** A pet is low at this number of available units, or fewer; `null`: never. */
  readonly lowStockAt: number | null;
  /**
   * A pet is no longer low at this number of available units, or more; `null`: at one more than
   * `lowStockAt`.
   */
  readonly restockAt: number | null;
}

/** A pet to add. */
export interface NewPet {
  readonly petId: PetIdInput;
  /** The name of the animal; `null` removes it. */
  readonly name?: string | null | undefined;
  /** The kind of animal; `null` removes it. */
  readonly category?: string | null | undefined;
  /** Low at so many available units, or fewer; `null`: the default of the shop applies. */
  readonly lowStockAt?: number | null | undefined;
  /** No longer low at so many; greater than `lowStockAt`, and only with it. */
  readonly restockAt?: number | null | undefined;
  /** The article number of the shop, which no other pet has; `null`: none. */
  readonly sku?: string | null | undefined;
  /** The barcodes, which no other pet has. */
  readonly barcodes?: readonly Barcode[] | undefined;
  /** Takes the codes from archived pets that have them; `false` by default. */
  readonly takeCodes?: boolean | undefined;
  /** Units on hand; 0 by default. */
  readonly quantity?: number | undefined;
  readonly status?: PetStatus | undefined;
}

/** The values to change; others stay. */
export interface PetChanges {
  /** The name of the animal; `null` removes it. */
  readonly name?: string | null | undefined;
  /** The kind of animal; `null` removes it. */
  readonly category?: string | null | undefined;
  /** Low at so many available units, or fewer; `null`: the default of the shop applies. */
  readonly lowStockAt?: number | null | undefined;
  /** No longer low at so many; greater than `lowStockAt`, and only with it. */
  readonly restockAt?: number | null | undefined;
  /** The article number of the shop, which no other pet has; `null`: none. */
  readonly sku?: string | null | undefined;
  /** The barcodes, which no other pet has. */
  readonly barcodes?: readonly Barcode[] | undefined;
  /** Takes the codes from archived pets that have them; `false` by default. */
  readonly takeCodes?: boolean | undefined;
}

/** A pet that is not archived any more. */
export interface RestoredPet {
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
  readonly version: Version;
  /** When the item was last changed. */
  readonly updatedAt: string;
  /** The name of the animal. */
  readonly name: string | null;
  /** The kind of animal. */
  readonly category: string | null;
  /** The article number of the shop, which no other pet has; `null`: none. */
  readonly sku: string | null;
  /** The barcodes, which no other pet has. */
  readonly barcodes: readonly Barcode[];
  /** When the pet was added. */
  readonly createdAt: string;
  /** When it was archived; `null` if it is not. */
  readonly archivedAt: string | null;
  /** What other pets took since the pet was archived. */
  readonly takenCodes: readonly {
    /** Which of its codes it was. */
    readonly kind: "sku" | "barcode";
    /** The code. */
    readonly code: string;
    readonly petId: PetId;
  }[];
}

/** A change of many pets that is planned, shown, and then applied. */
export interface BulkChange {
  /** The id of the bulk change. */
  readonly id: string;
  readonly state: BulkState;
  readonly filter: BulkFilter;
  readonly set: BulkValues;
  readonly counts: BulkCounts;
  /** Why it failed, as a sentence. */
  readonly failure: string | null;
  /** Why it failed. */
  readonly failureCode: "disk_full" | "interrupted" | null;
  /** The id of the key that planned it. */
  readonly createdBy: string;
  /** The id of the key that applied it. */
  readonly appliedBy: string | null;
  /** The id of the key that undid it. */
  readonly undoneBy: string | null;
  /** When it was planned. */
  readonly createdAt: string;
  /** When it changed last. */
  readonly updatedAt: string;
}

/**
 * The pets are found and compared (`planning`); then it is `planned`. It is `applying`, then
 * `applied`; `undoing`, then `undone`. `cancelled`: stopped where it was, or replaced by a newer
 * plan. `failed`: see `failure`.
 */
export type BulkState = "planning" | "planned" | "applying" | "applied" | "undoing" | "undone" | "cancelled" | "failed";

/** `null`: the pets were named. */
export type BulkFilter = {
  /** Words, codes or a petId, as `q` of the list of pets. */
  readonly q?: string | undefined;
  /** `exclude` by default; `only` where `set` restores pets. */
  readonly archived?: "exclude" | "include" | "only" | undefined;
  readonly status?: PetStatus | undefined;
  /** Only pets of exactly this category. */
  readonly category?: string | undefined;
  /** Only pets of exactly this supplier; with an empty or a blank text, those without a supplier. */
  readonly supplier?: string | undefined;
  /** Only pets of these alert levels. */
  readonly alert?: readonly AlertLevel[] | undefined;
  /** Only pets with this quantity or more. */
  readonly quantityGte?: number | undefined;
  /** Only pets with this quantity or less. */
  readonly quantityLte?: number | undefined;
  /** Only pets with this many available units or fewer; may be below 0. */
  readonly availableLte?: number | undefined;
  /** Only pets whose stock changed at this moment or later. */
  readonly updatedSince?: string | undefined;
} | null;

/** `null`: the pets were named. */
export type BulkFilterInput = {
  /** Words, codes or a petId, as `q` of the list of pets. */
  readonly q?: string | undefined;
  /** `exclude` by default; `only` where `set` restores pets. */
  readonly archived?: "exclude" | "include" | "only" | undefined;
  readonly status?: PetStatus | undefined;
  /** Only pets of exactly this category. */
  readonly category?: string | undefined;
  /** Only pets of exactly this supplier; with an empty or a blank text, those without a supplier. */
  readonly supplier?: string | undefined;
  /** Only pets of these alert levels. */
  readonly alert?: readonly AlertLevel[] | undefined;
  /** Only pets with this quantity or more. */
  readonly quantityGte?: number | undefined;
  /** Only pets with this quantity or less. */
  readonly quantityLte?: number | undefined;
  /** Only pets with this many available units or fewer; may be below 0. */
  readonly availableLte?: number | undefined;
  /** Only pets whose stock changed at this moment or later. */
  readonly updatedSince?: string | Date | undefined;
} | null;

/** The new values of each pet; others stay. */
export interface BulkValues {
  /** The new category; `null` removes it. */
  readonly category?: string | null | undefined;
  readonly status?: PetStatus | undefined;
  /**
   * Low at so many available units, or fewer; `null`: the default of the shop applies. It replaces
   * `restockAt` too.
   */
  readonly lowStockAt?: number | null | undefined;
  /** No longer low at so many; greater than `lowStockAt`, and only with it. */
  readonly restockAt?: number | null | undefined;
  /**
   * The SKU of each pet, with its petId in the place of `{petId}`, which it must have, and at most 64
   * characters; `null` removes the SKUs.
   */
  readonly sku?: string | null | undefined;
  /** An empty array removes all barcodes. */
  readonly barcodes?: readonly string[] | undefined;
  /**
   * Gives pets without a barcode an EAN-13: this prefix, ten digits of the petId, and the check digit.
   * GS1 leaves numbers with `20` to `29` to shops, for use in their own rooms; choose one that the till
   * does not read as a weight or a price. Exclusive with `barcodes`.
   */
  readonly inStorePrefix?: "20" | "21" | "22" | "23" | "24" | "25" | "26" | "27" | "28" | "29" | undefined;
  /** Archives or restores the pets; it is alone in `set`. */
  readonly archived?: boolean | undefined;
  /**
   * Who sells the pets to the shop; `null` or a blank text: not known. What is ordered of them stays. It
   * is alone in `set`, or with `ordered`.
   */
  readonly supplier?: string | null | undefined;
  /**
   * Units that are ordered of each pet. `suggested`: those that the reorder list suggests. `units`:
   * those of `units` beside `petIds`. It is alone in `set`, or with `expectedOn` and `supplier`.
   */
  readonly ordered?: number | BulkUnits | undefined;
  /** The day on which they are expected; `null`: not known. Only with `ordered`. */
  readonly expectedOn?: string | null | undefined;
}

/** Where the units of each pet come from. */
export type BulkUnits = "suggested" | "units";

/** Pets by their outcome. */
export interface BulkCounts {
  /** Pets that will change; while it is applied, those that are left. */
  readonly planned: WholeNumber;
  /** Pets that have the values already. */
  readonly unchanged: WholeNumber;
  /** Pets that cannot have the values; see their `reason`. */
  readonly refused: WholeNumber;
  /** Pets that have the new values. */
  readonly changed: WholeNumber;
  /** Pets that stayed as they are, because they changed after the plan. */
  readonly stale: WholeNumber;
  /** Pets that have their earlier values again. */
  readonly undone: WholeNumber;
  /** Pets that an undo left, because their values were changed again. */
  readonly kept: WholeNumber;
}

/** The pets to change, by their ids or by a filter, and their new values. */
export interface BulkChangeRequest {
  /** The pets to change. Exclusive with `filter`. */
  readonly petIds?: readonly PetIdInput[] | undefined;
  /** Units to order of each pet of `petIds`, in the same order; only with `"ordered": "units"` in `set`. */
  readonly units?: readonly number[] | undefined;
  /** Pets with all of these; `{}`: all pets that are not archived. */
  readonly filter?: BulkFilterInput | undefined;
  readonly set: BulkValues;
}

/** A pet of a bulk change. */
export interface BulkPet {
  readonly petId: PetId;
  /** Its name now. */
  readonly name: string | null;
  readonly outcome: BulkOutcome;
  readonly reason: BulkReason;
  /** The pet that has the code, if the `reason` is `code_in_use`. */
  readonly codeOwner: PetId | null;
  readonly before: BulkFacts;
  /** Its codes with the new values; `null`: the change sets none, or there is no such pet. */
  readonly codes: BulkCodes | null;
  /** Units that the change orders of it; `null`: none. */
  readonly ordered: number | null;
}

/** What becomes of the pet. `counts` of the bulk change describes each. */
export type BulkOutcome = "planned" | "unchanged" | "refused" | "changed" | "stale" | "undone" | "kept";

/**
 * Why it is refused: it does not exist, has stock or reservations, lost codes to another pet, would
 * get a code of another pet or an SKU that is too long, its petId does not fit into a barcode (it is
 * negative, or has more than ten digits), units of it are on their way, or the reorder list suggests
 * none: it is not low, or it is archived.
 */
export type BulkReason = "not_found" | "has_stock" | "codes_taken" | "code_in_use" | "sku_too_long" | "no_barcode" | "already_ordered" | "not_needed" | null;

/** When it was planned; `null`: there is no such pet. */
export type BulkFacts = {
  /** Its category. */
  readonly category: string | null;
  readonly status: PetStatus;
  /** Its own threshold. */
  readonly lowStockAt: number | null;
  /** Its own threshold. */
  readonly restockAt: number | null;
  /** The article number of the shop, which no other pet has; `null`: none. */
  readonly sku: string | null;
  /** The barcodes, which no other pet has. */
  readonly barcodes: readonly Barcode[];
  /** Whether it is archived. */
  readonly archived: boolean;
  /** Who sells it to the shop. */
  readonly supplier: string | null;
} | null;

/** Codes of a pet. */
export interface BulkCodes {
  /** The article number of the shop, which no other pet has; `null`: none. */
  readonly sku: string | null;
  /** The barcodes, which no other pet has. */
  readonly barcodes: readonly Barcode[];
}

/** A file of pets, or the undo of one, that is checked, shown, and then applied. */
export interface Import {
  /** The id of the import. */
  readonly id: string;
  readonly state: ImportState;
  readonly format: ImportFormat;
  readonly mode: ImportMode;
  /** As sent with the file. */
  readonly fileName: string | null;
  /** The size of the file. */
  readonly byteCount: WholeNumber;
  /** How much of the file is checked. */
  readonly checkedBytes: WholeNumber;
  readonly counts: ImportCounts;
  /** The first 100 errors, or rows that changed after the plan. */
  readonly errors: readonly ImportError[];
  /** All errors. */
  readonly errorCount: WholeNumber;
  /** Rows with an error, which are left out if the others are applied. */
  readonly badRows: WholeNumber;
  /**
   * New pets whose code may be mistyped: all that only a code names, where the codes of more rows found
   * their pets.
   */
  readonly newPetsToCheck: WholeNumber;
  readonly reading: ImportReading;
  /** Why it failed, as a sentence. */
  readonly failure: string | null;
  /**
   * Why it failed: the disk of the database has no room, its work could not start, too many
   * interruptions, or the import that it undoes is deleted or undone already.
   */
  readonly failureCode: "disk_full" | "not_started" | "interrupted" | "nothing_to_undo" | null;
  /** The id of the key that sent the file. */
  readonly createdBy: string;
  /** The id of the key that applied it. */
  readonly appliedBy: string | null;
  /**
   * The id of another import of the same bytes and `mode` that was applied before, the newest one: with
   * `mode=add` its units would be added twice. `null`: none that is kept.
   */
  readonly appliedBefore: string | null;
  /**
   * The id of the applied import that this one undoes, without a file of its own; `mode` is `add`. That
   * import may be deleted. `null`: it has a file.
   */
  readonly undoes: string | null;
  /** The id of the applied import that undid this one, which may be deleted. `null`: it is not undone. */
  readonly undoneBy: string | null;
  /** When the file was sent. */
  readonly createdAt: string;
  /** When it changed last. */
  readonly updatedAt: string;
}

/**
 * The file is `checking`; then it is `planned`, or `invalid` for its `errors`. A plan is `applying`;
 * then it is `applied`, or `stale` because stock changed after the plan: it can be planned again.
 * `failed`: see `failureCode`. `cancelled`: it was ended. `receiving`: the file arrives.
 */
export type ImportState = "receiving" | "checking" | "planned" | "invalid" | "applying" | "applied" | "stale" | "cancelled" | "failed";

/** The format of the file. */
export type ImportFormat = "csv" | "json" | "ndjson" | "xlsx";

/**
 * `set`: the quantities of the file replace those of the pets. `add`: they are added to them; negative
 * ones take units away.
 */
export type ImportMode = "set" | "add";

/** Rows by their effect; zeros until the file is checked. */
export interface ImportCounts {
  /** Rows of new pets. */
  readonly new: WholeNumber;
  /** Rows that change their pet. */
  readonly changed: WholeNumber;
  /** Rows that change nothing. */
  readonly unchanged: WholeNumber;
}

/** What is wrong with a row, or which row changed after the plan. */
export interface ImportError {
  /** The line, from 1; `null`: the whole file. */
  readonly line: number | null;
  /** The element of a JSON array, from 1. */
  readonly element: number | null;
  /** The column or member; `null`: the whole row. */
  readonly field: string | null;
  readonly code: ImportErrorCode;
  /**
   * What the `message` names, such as the `value` of the file, a `maximum`, or the `earlierLine` with
   * the same pet. All are texts, because some numbers have more digits than JSON readers keep. A value
   * of the file is as JSON writes it.
   */
  readonly values: Readonly<Record<string, string>>;
  /** What is wrong. */
  readonly message: string;
  /** The row as the file has it; its beginning if it is long. `null`: not known. */
  readonly row: string | null;
}

/**
 * The kind of the error. Codes may be added; the `message` of an unknown one says what is wrong. The
 * guide to the management API has a table of them.
 */
export type ImportErrorCode = "empty_file" | "spreadsheet_file" | "no_workbook" | "damaged_workbook" | "workbook_macros" | "workbook_too_large" | "several_sheets" | "unknown_sheet" | "too_many_columns" | "too_many_empty_rows" | "unreadable_text" | "mixed_encodings" | "uncertain_encoding" | "no_pets" | "too_many_pets" | "row_too_long" | "quote_not_closed" | "text_after_quote" | "quote_inside_field" | "repeated_column" | "unknown_column" | "missing_column" | "mapped_column_missing" | "named_column_missing" | "wrong_field_count" | "array_missing" | "array_not_closed" | "comma_missing" | "element_missing" | "text_after_array" | "invalid_json" | "value_not_closed" | "string_not_closed" | "not_an_object" | "unknown_member" | "repeated_member" | "date_cell" | "error_cell" | "formula_without_value" | "external_cell" | "missing_value" | "invalid_pet_id" | "invalid_sku" | "invalid_barcode" | "wrong_check_digit" | "zero_barcode" | "shortened_code" | "too_many_barcodes" | "repeated_code" | "code_in_use" | "codes_of_two_pets" | "code_moved" | "no_pet_id_left" | "unknown_code" | "repeated_pet" | "not_a_text" | "text_too_long" | "invalid_character" | "invalid_status" | "ambiguous_number" | "invalid_quantity" | "quantity_too_large" | "sum_below_zero" | "sum_too_large" | "invalid_threshold" | "low_stock_at_missing" | "restock_at_too_low" | "stock_changed";

/** `null`: it is not checked yet, or there is no file. */
export type ImportReading = {
  /** The encoding; `null` for a workbook. */
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | null;
  /** Between the fields; `null`: not CSV. */
  readonly separator: string | null;
  /** The line of the headings; `null` for JSON. */
  readonly headingLine: number | null;
  /** The sheet of a workbook. */
  readonly sheet: string | null;
  /** What decided about numbers with two readings. */
  readonly decimal: "comma" | "point" | null;
  /** Columns of a file of the stock page that an import does not change. */
  readonly leftOut: readonly string[];
  /** The remembered mapping of its columns. */
  readonly mapping: string | null;
} | null;

/** A row of the plan. */
export interface ImportRow {
  readonly petId: PetId;
  /** The line of the file, for an undo of the file that it undoes. */
  readonly line: WholeNumber;
  /** The element of a JSON array. */
  readonly element: number | null;
  readonly effect: ImportEffect;
  readonly before: ImportedValues;
  /** `null`: the pet does not change. */
  readonly after: ImportedValues;
}

/** What a row does to its pet. */
export type ImportEffect = "new" | "changed" | "unchanged";

/** `null`: the pet is new, or does not change. */
export type ImportedValues = {
  /** Its name. */
  readonly name: string | null;
  /** Its category. */
  readonly category: string | null;
  readonly quantity: Quantity;
  readonly status: PetStatus;
  /** Its own threshold. */
  readonly lowStockAt: number | null;
  /** Its own threshold. */
  readonly restockAt: number | null;
  /** The article number of the shop, which no other pet has; `null`: none. */
  readonly sku: string | null;
  /** The barcodes, which no other pet has. */
  readonly barcodes: readonly Barcode[];
  /** Who sells it to the shop. */
  readonly supplier: string | null;
} | null;

/** How an import is applied. */
export interface ImportApplication {
  /** Whether the rows with errors of an `invalid` import are left out, and the others applied. */
  readonly goodRows?: boolean | undefined;
}

/** How files of one source are read. */
export interface ImportMapping {
  /** The name, whose case does not matter. */
  readonly name: string;
  /**
   * The columns, up to 100, each field once. A table must have those with a field. Other columns are
   * read by their known headings.
   */
  readonly columns: readonly MappedColumn[];
  /** The mark of decimals, where the file does not prove it. */
  readonly decimal: "comma" | "point" | null;
  /** The encoding of CSV, where the file does not show it. */
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | null;
  /** The sheet of a workbook, where several have pets. */
  readonly sheet: string | null;
  /** The id of the key that wrote it last. */
  readonly updatedBy: string;
  /** When it was written. */
  readonly updatedAt: string;
}

/** A column of a file. */
export interface MappedColumn {
  /** The heading of the column, or the name of the member. Case and spaces at its ends do not matter. */
  readonly heading: string;
  /** What it is; `null`: it is left out. */
  readonly field: "petId" | "sku" | "barcodes" | "name" | "category" | "quantity" | "status" | "lowStockAt" | "restockAt" | "supplier" | null;
}

/** A mapping to remember. */
export interface WrittenImportMapping {
  /** The new name of a mapping that is renamed. */
  readonly name?: string | undefined;
  /**
   * The columns, up to 100, each field once. A table must have those with a field. Other columns are
   * read by their known headings.
   */
  readonly columns: readonly MappedColumn[];
  /** The mark of decimals, where the file does not prove it. */
  readonly decimal?: "comma" | "point" | null | undefined;
  /** The encoding of CSV, where the file does not show it. */
  readonly encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | null | undefined;
  /** The sheet of a workbook, where several have pets. */
  readonly sheet?: string | null | undefined;
}

/** A stock-take, whose counts are movements of the ledger. */
export interface Stocktake {
  /** The id of the stock-take, and the `referenceId` of its movements. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  readonly state: StocktakeState;
  readonly scope: StocktakeScope;
  readonly posting: StocktakePosting;
  readonly startedBy: Actor;
  /** When it was started. */
  readonly startedAt: string;
  readonly closedBy: Actor | null;
  /** When it was closed; `null` while it runs, and if it was cancelled. */
  readonly closedAt: string | null;
  readonly undoneBy: Actor | null;
  /** When it was undone; `null` if it was not. */
  readonly undoneAt: string | null;
  readonly cancelledBy: Actor | null;
  /** When it was cancelled; `null` if it was not. */
  readonly cancelledAt: string | null;
  /**
   * When a prune deleted its movements. The report is that of this moment; `null`: none of them is
   * deleted.
   */
  readonly prunedAt: string | null;
}

/**
 * Counts are accepted while it is `running`. After its close it can be `undone`. One that was started
 * by mistake can be `cancelled` while it runs.
 */
export type StocktakeState = "running" | "closed" | "undone" | "cancelled";

/**
 * Which pets must be counted, as the filters of `listPets`; `null` members do not filter. It holds for
 * the pets as they are when the response is made.
 */
export interface StocktakeScope {
  /** Words that the pets have. */
  readonly q: string | null;
  /** Their category. */
  readonly category: string | null;
  /** Their status. */
  readonly status: PetStatus | null;
  /** Their alert levels. */
  readonly alert: readonly AlertLevel[] | null;
}

/**
 * When the stock changes. `at_count`: with each count. `at_close`: with all differences when the
 * stock-take is closed; until then the stock stays as it is.
 */
export type StocktakePosting = "at_count" | "at_close";

/** A stock-take to start. */
export interface StocktakeStart {
  /** Its name. */
  readonly name: string;
  readonly scope?: StocktakeFilter | undefined;
  readonly posting?: StocktakePosting | undefined;
}

/** Which pets must be counted; all without a member. */
export interface StocktakeFilter {
  /** Words of name or category, as `q` of `listPets`. */
  readonly q?: string | null | undefined;
  /** Exactly this category. */
  readonly category?: string | null | undefined;
  readonly status?: PetStatus | null | undefined;
  /** Pets of these alert levels. */
  readonly alert?: readonly ("low" | "out" | "oversold")[] | null | undefined;
}

/** A stock-take in numbers. */
export interface StocktakeTotals {
  /** The movement after which the totals hold. */
  readonly sequence: WholeNumber;
  /** Pets that were counted, also outside of the scope. */
  readonly counted: WholeNumber;
  /** Pets of the scope that were not. */
  readonly uncounted: WholeNumber;
  /** Counted pets with a variance. */
  readonly differences: WholeNumber;
  /** Units that were found more than expected, of all pets with more. */
  readonly surplus: bigint;
  /** Units that were missing, of all pets with fewer. */
  readonly shortage: bigint;
  /** Counted pets whose variance is not what the stock-take has changed. */
  readonly unposted: WholeNumber;
}

/** A recorded count. `sequence` is its movement. */
export interface StocktakeCount {
  readonly petId: PetId;
  readonly counted: Quantity;
  readonly sequence: Sequence;
  /** The stock after the count. */
  readonly quantity: Quantity;
}

/** A pet that was counted. */
export interface PetCount {
  readonly petId: PetIdInput;
  /** The units that were counted. */
  readonly counted: number;
  readonly note?: Note | undefined;
  readonly occurredAt?: OccurredAtInput | undefined;
}

/** A counted pet. `sequence` is the movement of its last count. */
export interface StocktakeLine {
  readonly petId: PetId;
  /** The name of the pet. */
  readonly name: string | null;
  /** Its category. */
  readonly category: string | null;
  /**
   * The stock just before the last count, without what this stock-take itself had changed. Sales before
   * the count lower it, and sales after it do not matter.
   */
  readonly expected: number;
  readonly counted: Quantity;
  /** `counted` minus `expected`. */
  readonly variance: number;
  /**
   * What the stock-take has changed in the stock: the variance once it is posted, 0 before it and after
   * an undo or a cancel.
   */
  readonly posted: number;
  /** How many times the pet was counted, without counts that were undone. */
  readonly counts: WholeNumber;
  readonly countedBy: Actor;
  /** When the last count was recorded. */
  readonly countedAt: string;
  readonly sequence: Sequence;
}

/** The stock at a moment. */
export interface StockReport {
  readonly by: ReportGrouping;
  /** The movement after which the stock was so. */
  readonly sequence: WholeNumber;
  /** Where the ledger begins because a prune deleted what was before; `null` if none did. */
  readonly retentionStart: string | null;
  /** By petId or by the name of the category. */
  readonly rows: readonly StockReportRow[];
}

/** What rows are about: all pets together, those of a category, or one pet. */
export type ReportGrouping = "total" | "category" | "pet";

/** Stock after a movement. */
export interface StockReportRow {
  /** The pet; `null` unless `by` is `pet`. */
  readonly petId: PetId | null;
  /** Its name now. */
  readonly name: string | null;
  /** The category, by the pets as they are now; `null` also for pets without one. */
  readonly category: string | null;
  /** Pets that existed then, archived ones too. */
  readonly pets: WholeNumber;
  /** Their units. */
  readonly quantity: bigint;
  /** Units that were reserved. */
  readonly reserved: bigint;
  /** `quantity` minus `reserved`. */
  readonly available: bigint;
}

/** Movements per month or day, kind and reason. */
export interface MovementReport {
  readonly by: ReportGrouping;
  /** The time zone of the months and days. */
  readonly timeZone: string;
  /** Movements after this one are summed. */
  readonly afterSequence: WholeNumber;
  /** The last movement that is summed. */
  readonly sequence: WholeNumber;
  /** Where the ledger begins because a prune deleted what was before; `null` if none did. */
  readonly retentionStart: string | null;
  /** By petId, month or day, category, kind and reason. */
  readonly rows: readonly MovementReportRow[];
}

/** Movements of a month or a day. */
export interface MovementReportRow {
  /** The month in the time zone, by the time of recording. */
  readonly month: string;
  /** The day, in the same way; `null` unless `per` is `day`. */
  readonly day: string | null;
  /** The pet; `null` unless `by` is `pet`. */
  readonly petId: PetId | null;
  /** Its name now. */
  readonly name: string | null;
  /** The category, by the pets as they are now; `null` also for pets without one. */
  readonly category: string | null;
  /** What caused the movements. */
  readonly kind: "import" | "set" | "adjust" | "status" | "revert" | "reserve" | "release" | "deliver" | "return" | "thresholds";
  /** Their reason; `null`: none was given. */
  readonly reason: "correction" | "cycle_count" | "received" | "restock" | "returned" | "damaged" | "shrinkage" | "promotion" | "sold" | "other" | null;
  /**
   * Of reverts: the reason of the movement that they take back, or make again; `null` for others,
   * without a reason, and where a prune deleted that movement.
   */
  readonly revertedReason: "correction" | "cycle_count" | "received" | "restock" | "returned" | "damaged" | "shrinkage" | "promotion" | "sold" | "other" | null;
  /** How many there are. */
  readonly movements: WholeNumber;
  /** Units that they added. */
  readonly unitsIn: bigint;
  /** Units that they took. */
  readonly unitsOut: bigint;
  /** `unitsIn` minus `unitsOut`. */
  readonly change: bigint;
}

/** The variance of stock-takes. */
export interface VarianceReport {
  readonly by: ReportGrouping;
  /** The newest stock-take first; its rows by petId or category. */
  readonly rows: readonly VarianceReportRow[];
}

/** Counts of a stock-take. */
export interface VarianceReportRow {
  /** The id of the stock-take. */
  readonly stocktakeId: string;
  /** Its name. */
  readonly stocktake: string;
  /** Its state. */
  readonly state: "running" | "closed" | "undone";
  /** When it was started. */
  readonly startedAt: string;
  /** When it was closed; `null` while it runs. */
  readonly closedAt: string | null;
  /** The pet; `null` unless `by` is `pet`. */
  readonly petId: PetId | null;
  /** Its name now. */
  readonly name: string | null;
  /** The category, by the pets as they are now; `null` also for pets without one. */
  readonly category: string | null;
  /** Pets that were counted. */
  readonly pets: WholeNumber;
  /** Units that were expected. */
  readonly expected: bigint;
  /** Units that were counted. */
  readonly counted: bigint;
  /** `counted` minus `expected`. */
  readonly variance: bigint;
  /** Units that were found more than expected, of all pets with more. */
  readonly surplus: bigint;
  /** Units that were missing, of all pets with fewer. */
  readonly shortage: bigint;
  /** What the stock-take has changed in the stock. */
  readonly posted: bigint;
}

/** What a shop needs to know to order a pet. */
export interface Reorder {
  readonly petId: PetId;
  /** Its name. */
  readonly name: string | null;
  /** Its category. */
  readonly category: string | null;
  /** Its SKU. */
  readonly sku: string | null;
  /** Who sells it to the shop; `null`: not known. */
  readonly supplier: string | null;
  /**
   * `to_order`: the pet has an alert level, and nothing is on its way. `ordered`: units are on their
   * way. `null`: neither; the pet is not in the list.
   */
  readonly state: "to_order" | "ordered" | null;
  /** The level of the available units; `null` if there are enough. */
  readonly alertLevel: AlertLevel | null;
  readonly quantity: Quantity;
  readonly reserved: Reserved;
  /** The quantity minus the reserved units; below 0 after a recount that found fewer than are reserved. */
  readonly available: number;
  /**
   * For how many days the available units last at the average rate of sales of the last 30 days; `null`
   * without a sale.
   */
  readonly daysOfStock: number | null;
  /** The available units at which the pet has no alert level any more. */
  readonly enough: WholeNumber;
  /** Units to order, besides those that are on their way, to reach `enough`. */
  readonly suggested: Quantity;
  /** Units that were ordered; `null`: none are on their way. */
  readonly ordered: number | null;
  /** Ordered units that arrived. */
  readonly received: WholeNumber;
  /** Ordered units that are on their way. */
  readonly outstanding: WholeNumber;
  /** The day on which they are expected; `null`: not known. */
  readonly expectedOn: string | null;
  /** When they were marked as ordered. */
  readonly orderedAt: string | null;
  readonly orderedBy: Actor | null;
  /** For the `If-Match` of a change: it identifies what is ordered, and the supplier. */
  readonly etag: string;
}

/** The name of a supplier. */
export type Supplier = string;

/** The values to change; others stay. */
export interface ReorderChanges {
  /** Who sells the pet; `null` or a blank text: not known. It stays after the units arrived. */
  readonly supplier?: string | null | undefined;
  /**
   * Units that are ordered. While some of an order are on their way, this is the corrected number of the
   * same order. `null`: they were not ordered after all.
   */
  readonly ordered?: number | null | undefined;
  /** The day on which they are expected; `null`: not known. */
  readonly expectedOn?: string | null | undefined;
}

/** Who approved an order. `null`: the order was not approved, or the record is pruned. */
export interface OrderApproval {
  /** When it was approved. */
  readonly approvedAt: string | null;
  readonly actor: Actor | null;
}

/** What a prune deleted, or would delete. */
export interface PrunedLedger {
  /** Only of a dry run. */
  readonly dryRun?: true | undefined;
  /** Movements that were deleted, or would be. */
  readonly movements: WholeNumber;
  /** The retention start of the newest prune. */
  readonly start: {
    /** Movements up to this one may be deleted; 0 without a prune. */
    readonly sequence: WholeNumber;
    /** Time of that movement; `null` without a prune. */
    readonly recordedAt: string | null;
  };
  /**
   * Webhook endpoints, also paused ones, that have not received all movements that would be deleted:
   * they lose the rest. Only of a dry run.
   */
  readonly endpointsBehind?: WholeNumber | undefined;
  /** The record of the prune; `null` when the ledger began there already. Not of a dry run. */
  readonly prune?: Prune | null | undefined;
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

/** The hash of that movement. */
export type Sha256 = string;

/** Which movements to delete: `before` or `keepDays`. */
export interface LedgerPruning {
  /** Delete movements recorded before this moment, which must not be in the future. */
  readonly before?: string | Date | undefined;
  /** Delete movements recorded before the last days, as many as this. */
  readonly keepDays?: number | undefined;
  /** Whether to count the movements only. */
  readonly dryRun?: boolean | undefined;
  /** Whether the clock is right although the newest movement is more than 366 days old. */
  readonly acceptClock?: boolean | undefined;
}

/** The result of checking the database. Without faults all of it is correct. */
export interface VerificationReport {
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
  /** The first movement that is wrong. */
  readonly firstBadSequence: number | null;
  /** One sentence per fault. */
  readonly faults: readonly string[];
  /** The kinds of the faults, each once. */
  readonly findings: readonly {
    /** The kind. */
    readonly code: "damage" | "gap" | "start" | "prune" | "retained" | "expected" | "time" | "hash" | "history" | "revert" | "balance" | "unexplained" | "orders" | "search";
    /** How many were found; more than 100 stands for any larger number. */
    readonly count: WholeNumber;
  }[];
}

/** What to expect of the ledger. */
export interface Verification {
  /** What the ledger must contain. After a prune, also its place `afterSequence` and its `hash`. */
  readonly expect?: readonly ExpectedPoint[] | undefined;
}

/** A movement and its hash: the `head` of an earlier report, or of an audit. */
export interface ExpectedPoint {
  /** The sequence of the movement. */
  readonly sequence: number;
  /** The hash that was noted with it. */
  readonly hash: string;
}

/** An endpoint to make, and its account. */
export interface WebhookEndpointForAccount {
  /** The account that it belongs to. */
  readonly accountId: string;
  readonly url: WebhookUrl;
  readonly description?: WebhookDescription | undefined;
  readonly types?: WebhookTypes | undefined;
  readonly petIds?: WebhookPetIdsInput | undefined;
  readonly statuses?: WebhookStatuses | undefined;
}

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
  /** SHA-256 over the hash of the record before, a movement or a prune, and the other fields. */
  readonly hash: Sha256;
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

/** The parameters of `listActivity`. */
export interface ListActivityQuery {
  /** Only actions of the key with this id, or of `cli`. */
  readonly actor?: string | undefined;
  /** Only actions of this kind. */
  readonly action?: string | undefined;
  /** Only actions that changed what has this id. */
  readonly target?: string | undefined;
  /** Only actions at this moment or later. */
  readonly since?: string | Date | undefined;
  /** Only actions before this moment. */
  readonly until?: string | Date | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `listAccounts`. */
export interface ListAccountsQuery {
  /** Only those with this text in the name or the id. Capital and small letters are alike. */
  readonly q?: string | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `getAccountUsage`. */
export interface GetAccountUsageQuery {
  /** The length of the periods; `hour` by default. */
  readonly unit?: UsageUnit | undefined;
  /** The first period is that of this moment. By default 60 minutes, 24 hours or 30 days before `until`. */
  readonly since?: string | Date | undefined;
  /** The last period begins before this moment; now by default. */
  readonly until?: string | Date | undefined;
}

/** The parameters of `getUsage`. */
export interface GetUsageQuery {
  /** The length of the periods; `hour` by default. */
  readonly unit?: UsageUnit | undefined;
  /** The first period is that of this moment. By default 60 minutes, 24 hours or 30 days before `until`. */
  readonly since?: string | Date | undefined;
  /** The last period begins before this moment; now by default. */
  readonly until?: string | Date | undefined;
}

/** The parameters of `listKeys`. */
export interface ListKeysQuery {
  /** Only those of this account. */
  readonly accountId?: string | undefined;
  /**
   * Only those with this text in the name, the id, the hint, or the name of the account. Capital and
   * small letters are alike.
   */
  readonly q?: string | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `listBans`. */
export interface ListBansQuery {
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `listAdminKeys`. */
export interface ListAdminKeysQuery {
  /** Only those with this text in the name, the id, or the hint. Capital and small letters are alike. */
  readonly q?: string | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `listSessions`. */
export interface ListSessionsQuery {
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `listPets`. */
export interface ListPetsQuery {
  /**
   * Words of name or category, in any order; the beginnings of words are enough. A text that is a
   * barcode, an SKU or a petId also finds the pet that has it, first and in this order.
   */
  readonly q?: string | undefined;
  /** Whether archived pets are left out (the default), included, or alone in the result. */
  readonly archived?: "exclude" | "include" | "only" | undefined;
  /** Only pets of this status. */
  readonly status?: PetStatus | undefined;
  /** Only pets of these alert levels, separated by commas. */
  readonly alert?: AlertLevel | readonly AlertLevel[] | undefined;
  /** Only pets of exactly this category. */
  readonly category?: string | undefined;
  /** Only pets of exactly this supplier; with an empty or a blank text, those without a supplier. */
  readonly supplier?: string | undefined;
  /** Only the pet with exactly this SKU. Spaces around it do not count. */
  readonly sku?: string | undefined;
  /**
   * Only the pet with this barcode. A GTIN of 8, 12, 13 or 14 digits is found in each of these lengths,
   * and refused with a wrong check digit. Spaces around the barcode do not count.
   */
  readonly barcode?: string | undefined;
  /** Only these pets: up to 100 petIds, separated by commas. It excludes all other parameters. */
  readonly petId?: PetIdInput | readonly PetIdInput[] | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /**
   * With `q`, at most so many pets of a page that the same word finds, and all of them by default; the
   * others of this word are left out. With 20, `gold` finds `Goldfish` too where hundreds of pets have
   * the word `gold`.
   */
  readonly perWord?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `exportPets`. */
export interface ExportPetsQuery {
  /** The format of the file; `csv` by default. */
  readonly format?: "csv" | "ndjson" | "json" | "xlsx" | undefined;
  /**
   * The columns of the file, separated by commas, always in the order of their names here; by default
   * all but `sku`, `barcodes` and `supplier`. An import needs `quantity` and one of `petId`, `sku` and
   * `barcodes`.
   */
  readonly columns?: string | undefined;
  /**
   * Words of name or category, in any order; the beginnings of words are enough. A text that is a
   * barcode, an SKU or a petId also finds the pet that has it, first and in this order.
   */
  readonly q?: string | undefined;
  /** Only pets of exactly this category. */
  readonly category?: string | undefined;
  /** Only pets of exactly this supplier; with an empty or a blank text, those without a supplier. */
  readonly supplier?: string | undefined;
  /** Only pets of this status. */
  readonly status?: PetStatus | undefined;
  /** Only pets of these alert levels, separated by commas. */
  readonly alert?: string | undefined;
  /**
   * Between the fields of CSV for a spreadsheet; the file then begins with the mark of UTF-8. By default
   * commas, without the mark.
   */
  readonly separator?: "comma" | "semicolon" | "tab" | undefined;
  /** Whether archived pets are left out (the default), included, or alone in the result. */
  readonly archived?: "exclude" | "include" | "only" | undefined;
  /** The stock as after this movement; by default the newest one. */
  readonly sequence?: WholeNumber | undefined;
  /** Only pets with a greater petId: the last one that the client has. */
  readonly after?: PetIdInput | undefined;
}

/** The parameters of `listBulkChanges`. */
export interface ListBulkChangesQuery {
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `listBulkChangePets`. */
export interface ListBulkChangePetsQuery {
  /** Only pets with this outcome. */
  readonly outcome?: BulkOutcome | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `createImport`. */
export interface CreateImportQuery {
  /** A name that lists show. */
  readonly fileName?: string | undefined;
  /** Whether the quantities replace those of the pets, or are added to them. `set` by default. */
  readonly mode?: "set" | "add" | undefined;
  /**
   * The mark of decimals, where the file has numbers with two readings, such as `1.200`, and no other
   * number proves it: with `comma` that is 1200, with `point` 1.2.
   */
  readonly decimal?: "comma" | "point" | undefined;
  /** The encoding of CSV, where the file does not show it. */
  readonly encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | undefined;
  /** The sheet of a workbook to read, where several have the needed headings. */
  readonly sheet?: string | undefined;
  /**
   * Columns or members that are left out, with commas between them. Others that are not known are
   * errors.
   */
  readonly ignore?: string | undefined;
  /** The name of the remembered mapping by which the file is read. What other parameters say comes first. */
  readonly mapping?: string | undefined;
}

/** The parameters of `listImports`. */
export interface ListImportsQuery {
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `listImportRows`. */
export interface ListImportRowsQuery {
  /** Only rows with this effect. */
  readonly effect?: ImportEffect | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `listStocktakes`. */
export interface ListStocktakesQuery {
  /** Only stock-takes in this state. */
  readonly state?: "running" | "closed" | "undone" | "cancelled" | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `listStocktakeLines`. */
export interface ListStocktakeLinesQuery {
  /** Only pets with a variance (`true`), such as for a recount, or only those without (`false`). */
  readonly differs?: "true" | "false" | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `listUncountedPets`. */
export interface ListUncountedPetsQuery {
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `getStockReport`. */
export interface GetStockReportQuery {
  /**
   * What rows are about: all pets together (`total`), those of a `category`, or one `pet`. Rows by pet
   * come in pages; others all together, at most 20000.
   */
  readonly by?: "total" | "category" | "pet" | undefined;
  /** Only pets of exactly this category. */
  readonly category?: string | undefined;
  /** Only those of this pet, an exact 64-bit integer in plain decimal. */
  readonly petId?: PetIdInput | undefined;
  /** The stock at this moment, which must not be in the future. Excludes `atSequence`. */
  readonly asOf?: string | Date | undefined;
  /** The stock after this movement. Excludes `asOf`. */
  readonly atSequence?: WholeNumber | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `exportStockReport`. */
export interface ExportStockReportQuery {
  /**
   * What rows are about: all pets together (`total`), those of a `category`, or one `pet`. Rows by pet
   * come in pages; others all together, at most 20000.
   */
  readonly by?: "total" | "category" | "pet" | undefined;
  /** Only pets of exactly this category. */
  readonly category?: string | undefined;
  /** Only those of this pet, an exact 64-bit integer in plain decimal. */
  readonly petId?: PetIdInput | undefined;
  /** The stock at this moment, which must not be in the future. Excludes `atSequence`. */
  readonly asOf?: string | Date | undefined;
  /** The stock after this movement. Excludes `asOf`. */
  readonly atSequence?: WholeNumber | undefined;
  /** The format of the file; `csv` by default. */
  readonly format?: "csv" | "xlsx" | undefined;
  /**
   * Between the fields of CSV for a spreadsheet; the file then begins with the mark of UTF-8. By default
   * commas, without the mark.
   */
  readonly separator?: "comma" | "semicolon" | "tab" | undefined;
}

/** The parameters of `getMovementReport`. */
export interface GetMovementReportQuery {
  /**
   * What rows are about: all pets together (`total`), those of a `category`, or one `pet`. Rows by pet
   * come in pages; others all together, at most 20000.
   */
  readonly by?: "total" | "category" | "pet" | undefined;
  /** Whether a row is of a `month`, by default, or of a `day`. Rows per day are of at most 366 days. */
  readonly per?: "month" | "day" | undefined;
  /** Only pets of exactly this category. */
  readonly category?: string | undefined;
  /** Only those of this pet, an exact 64-bit integer in plain decimal. */
  readonly petId?: PetIdInput | undefined;
  /** From this moment on; by default from where the ledger begins. */
  readonly from?: string | Date | undefined;
  /** Before this moment; by default up to now. */
  readonly to?: string | Date | undefined;
  /**
   * The time zone of the months and days: a name such as `Europe/Berlin`, or an offset such as `+02:00`;
   * `UTC` by default.
   */
  readonly timeZone?: string | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `exportMovementReport`. */
export interface ExportMovementReportQuery {
  /**
   * What rows are about: all pets together (`total`), those of a `category`, or one `pet`. Rows by pet
   * come in pages; others all together, at most 20000.
   */
  readonly by?: "total" | "category" | "pet" | undefined;
  /** Whether a row is of a `month`, by default, or of a `day`. Rows per day are of at most 366 days. */
  readonly per?: "month" | "day" | undefined;
  /** Only pets of exactly this category. */
  readonly category?: string | undefined;
  /** Only those of this pet, an exact 64-bit integer in plain decimal. */
  readonly petId?: PetIdInput | undefined;
  /** From this moment on; by default from where the ledger begins. */
  readonly from?: string | Date | undefined;
  /** Before this moment; by default up to now. */
  readonly to?: string | Date | undefined;
  /**
   * The time zone of the months and days: a name such as `Europe/Berlin`, or an offset such as `+02:00`;
   * `UTC` by default.
   */
  readonly timeZone?: string | undefined;
  /** The format of the file; `csv` by default. */
  readonly format?: "csv" | "xlsx" | undefined;
  /**
   * Between the fields of CSV for a spreadsheet; the file then begins with the mark of UTF-8. By default
   * commas, without the mark.
   */
  readonly separator?: "comma" | "semicolon" | "tab" | undefined;
}

/** The parameters of `getVarianceReport`. */
export interface GetVarianceReportQuery {
  /**
   * What rows are about: all pets together (`total`), those of a `category`, or one `pet`. Rows by pet
   * come in pages; others all together, at most 20000.
   */
  readonly by?: "total" | "category" | "pet" | undefined;
  /** Only pets of exactly this category. */
  readonly category?: string | undefined;
  /** Only those of this pet, an exact 64-bit integer in plain decimal. */
  readonly petId?: PetIdInput | undefined;
  /** Stock-takes that were started from this moment on. */
  readonly from?: string | Date | undefined;
  /** Stock-takes that were started before this moment. */
  readonly to?: string | Date | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `exportVarianceReport`. */
export interface ExportVarianceReportQuery {
  /**
   * What rows are about: all pets together (`total`), those of a `category`, or one `pet`. Rows by pet
   * come in pages; others all together, at most 20000.
   */
  readonly by?: "total" | "category" | "pet" | undefined;
  /** Only pets of exactly this category. */
  readonly category?: string | undefined;
  /** Only those of this pet, an exact 64-bit integer in plain decimal. */
  readonly petId?: PetIdInput | undefined;
  /** Stock-takes that were started from this moment on. */
  readonly from?: string | Date | undefined;
  /** Stock-takes that were started before this moment. */
  readonly to?: string | Date | undefined;
  /** The format of the file; `csv` by default. */
  readonly format?: "csv" | "xlsx" | undefined;
  /**
   * Between the fields of CSV for a spreadsheet; the file then begins with the mark of UTF-8. By default
   * commas, without the mark.
   */
  readonly separator?: "comma" | "semicolon" | "tab" | undefined;
}

/** The parameters of `listReorders`. */
export interface ListReordersQuery {
  /**
   * Pets `to_order`, those that are `ordered`, or `all` of them, by default. A pet with units on their
   * way is `ordered`, whatever its alert level; any other pet with an alert level is `to_order`.
   */
  readonly state?: "all" | "to_order" | "ordered" | undefined;
  /** Only pets of exactly this supplier; with an empty or a blank text, those without a supplier. */
  readonly supplier?: string | undefined;
  /** Only pets of exactly this category. */
  readonly category?: string | undefined;
  /** Only pets of these alert levels, separated by commas. */
  readonly alert?: string | undefined;
  /**
   * These pets, also those that are not in the list: up to 1,000 petIds, separated by commas. It
   * excludes all other parameters.
   */
  readonly petId?: string | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `exportReorders`. */
export interface ExportReordersQuery {
  /**
   * Pets `to_order`, those that are `ordered`, or `all` of them, by default. A pet with units on their
   * way is `ordered`, whatever its alert level; any other pet with an alert level is `to_order`.
   */
  readonly state?: "all" | "to_order" | "ordered" | undefined;
  /** Only pets of exactly this supplier; with an empty or a blank text, those without a supplier. */
  readonly supplier?: string | undefined;
  /** Only pets of exactly this category. */
  readonly category?: string | undefined;
  /** Only pets of these alert levels, separated by commas. */
  readonly alert?: string | undefined;
  /** The format of the file; `csv` by default. */
  readonly format?: "csv" | "xlsx" | undefined;
  /**
   * Between the fields of CSV for a spreadsheet; the file then begins with the mark of UTF-8. By default
   * commas, without the mark.
   */
  readonly separator?: "comma" | "semicolon" | "tab" | undefined;
}

/** The parameters of `listWebhookEndpoints`. */
export interface ListWebhookEndpointsQuery {
  /** Only endpoints of this account. */
  readonly accountId?: string | undefined;
  /** Items per page; 100 by default. */
  readonly limit?: number | undefined;
  /** The start of the page, from the `Link` header of the page before. */
  readonly cursor?: string | undefined;
}

/** The parameters of `resendWebhookEvent`. */
export interface ResendWebhookEventQuery {
  /** The id of the event, such as `815.0-1a2b3c4d`, or its place, such as `815.0`. */
  readonly event: string;
}
