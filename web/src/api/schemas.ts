// Written by "npm run openapi" from admin-openapi.json. petIds are texts, because a number would round them.

export type Error = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status: number;
};

export type ErrorCode = string;

export type MovementOrder = "asc" | "desc";

export type WholeNumber = number;

export type EntityTags = string;

export type SystemFacts = {
  readonly version: string;
  readonly runtime: string;
  readonly environment: Environment;
  readonly engine: Engine;
  readonly databaseBytes: WholeNumber;
  readonly ledger: {
    readonly head: LedgerPoint;
    readonly start: LedgerPoint;
  };
  readonly startedAt: string;
  readonly uptimeSeconds: WholeNumber;
  readonly instances: number | null;
  readonly statusPolicy: StatusPolicy;
  readonly limits: {
    readonly maxQuantity: WholeNumber;
    readonly orderHoldSeconds: WholeNumber;
    readonly maxStreams: WholeNumber;
    readonly addressPerMinute: WholeNumber;
    readonly managementPerMinute: WholeNumber;
    readonly managementCostlyPerMinute: WholeNumber;
    readonly maxImportBytes: WholeNumber;
    readonly plans: {
      readonly free: PlanLimits;
      readonly pro: PlanLimits;
      readonly business: PlanLimits;
    };
  };
};

export type Environment = "production" | "staging";

export type Engine = "sqlite" | "postgresql";

export type LedgerPoint = {
  readonly sequence: WholeNumber;
  readonly recordedAt: string | null;
};

export type StatusPolicy = "unchanged" | "sold-at-zero" | "follow-orders";

export type PlanLimits = {
  readonly perMinute: WholeNumber;
  readonly perDay: WholeNumber;
};

export type Overview = {
  readonly countedAt: string;
  readonly pets: PetTotals;
  readonly alerts: readonly ManagedPet[];
  readonly categories: readonly CategoryTotals[];
  readonly otherPets: WholeNumber;
  readonly orders: OpenOrders;
  readonly webhooks: EndpointStates;
  readonly hours: readonly HourOfMovements[];
};

export type PetTotals = {
  readonly total: WholeNumber;
  readonly archived: WholeNumber;
  readonly available: WholeNumber;
  readonly pending: WholeNumber;
  readonly sold: WholeNumber;
  readonly low: WholeNumber;
  readonly out: WholeNumber;
  readonly oversold: WholeNumber;
};

export type ManagedPet = {
  readonly petId: PetId;
  readonly quantity: Quantity;
  readonly status: PetStatus;
  readonly reserved: Reserved;
  readonly available: number;
  readonly alertLevel: AlertLevel | null;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly version: Version;
  readonly updatedAt: string;
  readonly name: string | null;
  readonly category: string | null;
  readonly createdAt: string;
  readonly archivedAt: string | null;
};

export type PetId = string;

export type Quantity = number;

export const PET_STATUSES = ["available","pending","sold"] as const;
export type PetStatus = "available" | "pending" | "sold";

export type Reserved = number;

export const ALERT_LEVELS = ["low","out","oversold"] as const;
export type AlertLevel = "low" | "out" | "oversold";

export type Version = number;

export type CategoryTotals = {
  readonly category: string | null;
  readonly pets: WholeNumber;
  readonly units: WholeNumber;
  readonly alerts: WholeNumber;
};

export type OpenOrders = {
  readonly placed: WholeNumber;
  readonly approved: WholeNumber;
  readonly expiring: WholeNumber;
};

export type EndpointStates = {
  readonly endpoints: WholeNumber;
  readonly paused: WholeNumber;
  readonly failing: WholeNumber;
};

export type HourOfMovements = {
  readonly beganAt: string;
  readonly movements: WholeNumber;
};

export type ActivityEntry = {
  readonly recordedAt: string;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly action: ActivityAction;
  readonly target: string | null;
  readonly details: Readonly<Record<string, unknown>>;
};

export type Actor = {
  readonly keyId: string | null;
  readonly name: string;
};

export const ACTIVITY_ACTIONS = ["accounts.create","accounts.update","keys.create","keys.rotate","keys.revoke","keys.lift-ban","admin-keys.create","admin-keys.rotate","admin-keys.revoke","sessions.create","sessions.end","sign-in-codes.create","inventory.set","inventory.adjust","inventory.status","inventory.thresholds","inventory.batch","orders.place","orders.approve","orders.deliver","orders.cancel","orders.return","orders.expire","pets.create","pets.update","pets.archive","pets.restore","pets.import","imports.create","imports.plan","imports.apply","imports.cancel","imports.delete","thresholds.set","movements.revert","movements.prune","webhooks.create","webhooks.update","webhooks.delete","webhooks.pause","webhooks.resume","webhooks.rotate","webhooks.replay","webhooks.test"] as const;
export type ActivityAction = string;

export type Account = {
  readonly id: AccountId;
  readonly name: string;
  readonly plan: string;
  readonly perMinute: WholeNumber;
  readonly perDay: WholeNumber;
  readonly createdAt: string;
};

export type AccountId = string;

export type AccountCreation = {
  readonly name: string;
  readonly plan: PlanName;
  readonly perMinute?: number | undefined;
  readonly perDay?: number | undefined;
};

export type PlanName = "free" | "pro" | "business" | "enterprise";

export type AccountUpdate = {
  readonly name?: string | undefined;
  readonly plan?: PlanName | undefined;
  readonly perMinute?: number | undefined;
  readonly perDay?: number | undefined;
};

export type AccountUsage = {
  readonly unit: UsageUnit;
  readonly since: string;
  readonly until: string;
  readonly requests: WholeNumber;
  readonly periods: readonly UsagePeriod[];
};

export const USAGE_UNITS = ["minute","hour","day"] as const;
export type UsageUnit = "minute" | "hour" | "day";

export type UsagePeriod = {
  readonly beganAt: string;
  readonly requests: WholeNumber;
};

export type CreatedKey = {
  readonly id: KeyId;
  readonly name: string;
  readonly hint: string;
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly rotatedFrom: string | null;
  readonly accountId: AccountId;
  readonly scopes: readonly string[];
  readonly key: string;
};

export type KeyId = string;

export type KeyCreation = {
  readonly accountId: AccountId;
  readonly name?: string | undefined;
  readonly scopes?: readonly ("inventory:read" | "inventory:write" | "inventory:adjust" | "inventory:status" | "inventory:batch" | "movements:read" | "movements:revert" | "ledger:audit" | "pets:read" | "orders:read" | "orders:place" | "orders:approve" | "orders:deliver" | "orders:cancel" | "orders:return" | "webhooks:manage")[] | undefined;
  readonly expiresAt?: string | undefined;
};

export type Key = {
  readonly id: KeyId;
  readonly name: string;
  readonly hint: string;
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly rotatedFrom: string | null;
  readonly accountId: AccountId;
  readonly scopes: readonly string[];
};

export type RotatedKey = {
  readonly id: KeyId;
  readonly name: string;
  readonly hint: string;
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly rotatedFrom: string | null;
  readonly accountId: AccountId;
  readonly scopes: readonly string[];
  readonly key: string;
  readonly oldExpiresAt: string | null;
};

export type KeyRotation = {
  readonly overlapSeconds?: number | undefined;
  readonly expiresAt?: string | undefined;
};

export type RunningBan = {
  readonly keyId: string;
  readonly hint: string;
  readonly account: string;
  readonly level: WholeNumber;
  readonly bannedAt: string;
  readonly endsAt: string;
};

export type LiftedBan = {
  readonly keyId: string;
  readonly lifted: boolean;
};

export type CreatedAdminKey = {
  readonly id: KeyId;
  readonly name: string;
  readonly hint: string;
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly rotatedFrom: string | null;
  readonly role: string;
  readonly key: string;
};

export type AdminKeyCreation = {
  readonly role: Role;
  readonly name?: string | undefined;
  readonly expiresAt?: string | undefined;
};

export type Role = "viewer" | "staff" | "administrator";

export type AdminKey = {
  readonly id: KeyId;
  readonly name: string;
  readonly hint: string;
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly rotatedFrom: string | null;
  readonly role: string;
};

export type RotatedAdminKey = {
  readonly id: KeyId;
  readonly name: string;
  readonly hint: string;
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly rotatedFrom: string | null;
  readonly role: string;
  readonly key: string;
  readonly oldExpiresAt: string | null;
};

export type Session = {
  readonly sessionId: string;
  readonly keyId: string;
  readonly name: string;
  readonly role: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly idleExpiresAt: string;
  readonly expiresAt: string;
  readonly isCurrent: boolean;
};

export type SignIn = {
  readonly key: string;
} | {
  readonly code: string;
};

export type DefaultThresholds = {
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
};

export type ChangedThresholds = {
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly movements: WholeNumber;
};

export type NewThresholds = {
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
};

export type NewPet = {
  readonly petId: PetId;
  readonly name?: string | null | undefined;
  readonly category?: string | null | undefined;
  readonly lowStockAt?: number | null | undefined;
  readonly restockAt?: number | null | undefined;
  readonly quantity?: number | undefined;
  readonly status?: PetStatus | undefined;
};

export type PetChanges = {
  readonly name?: string | null | undefined;
  readonly category?: string | null | undefined;
  readonly lowStockAt?: number | null | undefined;
  readonly restockAt?: number | null | undefined;
};

export type Import = {
  readonly id: string;
  readonly state: ImportState;
  readonly format: ImportFormat;
  readonly mode: ImportMode;
  readonly fileName: string | null;
  readonly byteCount: WholeNumber;
  readonly checkedBytes: WholeNumber;
  readonly counts: ImportCounts;
  readonly errors: readonly ImportError[];
  readonly errorCount: WholeNumber;
  readonly failure: string | null;
  readonly failureCode: "disk_full" | "interrupted" | null;
  readonly createdBy: string;
  readonly appliedBy: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type ImportState = "receiving" | "checking" | "planned" | "invalid" | "applying" | "applied" | "stale" | "cancelled" | "failed";

export type ImportFormat = "csv" | "json" | "ndjson";

export type ImportMode = "set" | "add";

export type ImportCounts = {
  readonly new: WholeNumber;
  readonly changed: WholeNumber;
  readonly unchanged: WholeNumber;
};

export type ImportError = {
  readonly line: number | null;
  readonly element: number | null;
  readonly field: string | null;
  readonly code: ImportErrorCode;
  readonly values: Readonly<Record<string, string>>;
  readonly message: string;
  readonly row: string | null;
};

export type ImportErrorCode = "empty_file" | "spreadsheet_file" | "unreadable_text" | "mixed_encodings" | "no_pets" | "too_many_pets" | "row_too_long" | "quote_not_closed" | "text_after_quote" | "quote_inside_field" | "repeated_column" | "unknown_column" | "missing_column" | "wrong_field_count" | "array_missing" | "array_not_closed" | "comma_missing" | "element_missing" | "text_after_array" | "invalid_json" | "value_not_closed" | "string_not_closed" | "not_an_object" | "unknown_member" | "repeated_member" | "missing_value" | "invalid_pet_id" | "repeated_pet" | "not_a_text" | "text_too_long" | "invalid_character" | "invalid_status" | "ambiguous_number" | "invalid_quantity" | "quantity_too_large" | "sum_below_zero" | "sum_too_large" | "invalid_threshold" | "low_stock_at_missing" | "restock_at_too_low" | "stock_changed";

export type ImportRow = {
  readonly petId: PetId;
  readonly line: WholeNumber;
  readonly element: number | null;
  readonly effect: ImportEffect;
  readonly before: ImportedValues;
  readonly after: ImportedValues;
};

export type ImportEffect = "new" | "changed" | "unchanged";

export type ImportedValues = {
  readonly name: string | null;
  readonly category: string | null;
  readonly quantity: Quantity;
  readonly status: PetStatus;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
} | null;

export type OrderApproval = {
  readonly approvedAt: string | null;
  readonly actor: Actor | null;
};

export type PrunedLedger = {
  readonly dryRun?: true | undefined;
  readonly movements: WholeNumber;
  readonly start: {
    readonly sequence: WholeNumber;
    readonly recordedAt: string | null;
  };
  readonly prune?: Prune | null | undefined;
};

export type Prune = {
  readonly number: WholeNumber;
  readonly afterSequence: WholeNumber;
  readonly start: {
    readonly sequence: Sequence;
    readonly recordedAt: string;
    readonly hash: Sha256;
  };
  readonly decidedSequence: WholeNumber;
  readonly retained: WholeNumber;
  readonly retainedDigest: Sha256;
  readonly deleted: WholeNumber;
  readonly actor: {
    readonly keyId: string | null;
  };
  readonly recordedAt: string;
  readonly previousHash: Sha256;
  readonly hash: Sha256;
};

export type Sequence = number;

export type Sha256 = string;

export type LedgerPruning = {
  readonly before?: string | undefined;
  readonly keepDays?: number | undefined;
  readonly dryRun?: boolean | undefined;
  readonly acceptClock?: boolean | undefined;
};

export type VerificationReport = {
  readonly pets: WholeNumber;
  readonly movements: WholeNumber;
  readonly hashesChecked: WholeNumber;
  readonly retentionStart: {
    readonly sequence: WholeNumber;
    readonly recordedAt: string | null;
  };
  readonly prunes: readonly Prune[];
  readonly head: {
    readonly sequence: WholeNumber;
    readonly hash: Sha256;
  };
  readonly firstBadSequence: number | null;
  readonly faults: readonly string[];
};

export type Verification = {
  readonly expect?: readonly ExpectedPoint[] | undefined;
};

export type ExpectedPoint = {
  readonly sequence: number;
  readonly hash: string;
};

export type WebhookEndpoint = {
  readonly id: WebhookEndpointId;
  readonly accountId: string;
  readonly url: WebhookUrl;
  readonly description: WebhookDescription;
  readonly types: WebhookTypes;
  readonly petIds: WebhookPetIds;
  readonly statuses: WebhookStatuses;
  readonly version: Version;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly pausedAt: string | null;
  readonly pauseReason: string | null;
  readonly previousSecretExpiresAt: string | null;
  readonly lastEventId: string;
  readonly failingSince: string | null;
  readonly failures: WholeNumber;
  readonly retryAt: string | null;
};

export type WebhookEndpointId = string;

export type WebhookUrl = string;

export type WebhookDescription = string | null;

export type WebhookTypes = readonly WebhookEventType[] | null;

export type WebhookEventType = string;

export type WebhookPetIds = readonly PetId[] | null;

export type WebhookStatuses = readonly PetStatus[] | null;

export type WebhookEndpointWithSecret = {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
};

export type WebhookEndpointForAccount = {
  readonly accountId: string;
  readonly url: WebhookUrl;
  readonly description?: WebhookDescription | undefined;
  readonly types?: WebhookTypes | undefined;
  readonly petIds?: WebhookPetIds | undefined;
  readonly statuses?: WebhookStatuses | undefined;
};

export type WebhookEndpointChanges = {
  readonly url?: WebhookUrl | undefined;
  readonly description?: WebhookDescription | undefined;
  readonly types?: WebhookTypes | undefined;
  readonly petIds?: WebhookPetIds | undefined;
  readonly statuses?: WebhookStatuses | undefined;
};

export type WebhookSecretRotation = {
  readonly overlapSeconds?: number | undefined;
};

export type WebhookAttempt = {
  readonly number: WholeNumber;
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  readonly attempt: WholeNumber;
  readonly attemptedAt: string;
  readonly durationMs: WholeNumber;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly response: string | null;
};

export type InventoryItem = {
  readonly petId: PetId;
  readonly quantity: Quantity;
  readonly status: PetStatus;
};

export type InventoryUpdate = {
  readonly quantity: number;
  readonly changeFromQuantity?: SeenQuantity | undefined;
  readonly reason?: Reason | null | undefined;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAt | undefined;
};

export type SeenQuantity = number;

export type Reason = "correction" | "cycle_count" | "received" | "restock" | "returned" | "damaged" | "shrinkage" | "promotion" | "sold" | "other";

export type Note = string | null;

export type ReferenceDocumentUri = string | null;

export type ReferenceId = string | null;

export type OccurredAt = string | null;

export type InventoryDetail = {
  readonly petId: PetId;
  readonly quantity: Quantity;
  readonly status: PetStatus;
  readonly reserved: Reserved;
  readonly available: number;
  readonly alertLevel: AlertLevel | null;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly daysOfStock: number | null;
  readonly version: Version;
  readonly updatedAt: string;
  readonly name: string | null;
  readonly category: string | null;
};

export type InventoryAdjustment = {
  readonly delta: number;
  readonly reason: Reason;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAt | undefined;
  readonly changeFromQuantity?: SeenQuantity | undefined;
  readonly takeReserved?: TakeReserved | undefined;
};

export type TakeReserved = boolean;

export type InventoryStatus = {
  readonly status: PetStatus;
  readonly changeFromQuantity?: SeenQuantity | undefined;
  readonly reason?: Reason | null | undefined;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAt | undefined;
};

export type InventoryBatchResult = {
  readonly planId: string;
  readonly dryRun: boolean;
  readonly applied: number;
  readonly rows: readonly BatchRow[];
};

export type BatchRow = {
  readonly petId: PetId;
  readonly code: string;
  readonly message: string | null;
  readonly before: BatchStock | null;
  readonly after: BatchStock | null;
  readonly sequence: number | null;
};

export type BatchStock = {
  readonly quantity: Quantity;
  readonly reserved: Reserved;
  readonly status: PetStatus;
  readonly version: Version;
  readonly etag: string | null;
};

export type InventoryBatch = {
  readonly changes: readonly BatchChange[];
  readonly errorPolicy?: ErrorPolicy | undefined;
  readonly dryRun?: boolean | undefined;
  readonly planId?: string | undefined;
};

export type BatchChange = BatchQuantity | BatchAdjustment;

export type BatchQuantity = {
  readonly petId: PetId;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAt | undefined;
  readonly changeFromQuantity?: SeenQuantity | undefined;
  readonly ifMatch?: RowIfMatch | undefined;
  readonly quantity: number;
  readonly reason?: Reason | null | undefined;
};

export type RowIfMatch = string;

export type BatchAdjustment = {
  readonly petId: PetId;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAt | undefined;
  readonly changeFromQuantity?: SeenQuantity | undefined;
  readonly ifMatch?: RowIfMatch | undefined;
  readonly delta: number;
  readonly reason: Reason;
  readonly takeReserved?: TakeReserved | undefined;
};

export type ErrorPolicy = "reject_everything" | "reject_failed_rows";

export type Movement = {
  readonly sequence: Sequence;
  readonly petId: PetId;
  readonly version: Version;
  readonly kind: MovementKind;
  readonly delta: number;
  readonly quantityBefore: Quantity;
  readonly quantityAfter: Quantity;
  readonly statusBefore: PetStatus | null;
  readonly statusAfter: PetStatus;
  readonly reservedBefore: Reserved;
  readonly reservedAfter: Reserved;
  readonly alertBefore: AlertLevel | null;
  readonly alertAfter: AlertLevel | null;
  readonly alert: Alert | null;
  readonly orderId: number | null;
  readonly reason: Reason | null;
  readonly note: Note;
  readonly referenceDocumentUri: ReferenceDocumentUri;
  readonly referenceId: ReferenceId;
  readonly occurredAt: OccurredAt;
  readonly recordedAt: string;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly revertedSequence: number | null;
  readonly previousSequence: number | null;
  readonly hash: Sha256;
};

export type MovementKind = "import" | "set" | "adjust" | "status" | "revert" | "reserve" | "release" | "deliver" | "return" | "thresholds";

export type Alert = "low" | "out" | "oversold" | "back";

export type MovementRevert = {
  readonly reason?: Reason | null | undefined;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAt | undefined;
  readonly changeFromQuantity?: SeenQuantity | undefined;
  readonly takeReserved?: TakeReserved | undefined;
};

export type LedgerAudit = {
  readonly pets: WholeNumber;
  readonly movements: WholeNumber;
  readonly hashesChecked: WholeNumber;
  readonly retentionStart: {
    readonly sequence: WholeNumber;
    readonly recordedAt: string | null;
  };
  readonly prunes: readonly Prune[];
  readonly head: {
    readonly sequence: WholeNumber;
    readonly hash: Sha256;
  };
  readonly isIntact: boolean;
  readonly firstBadSequence: number | null;
  readonly faults: readonly string[];
};

export type Order = {
  readonly orderId: OrderId;
  readonly status: OrderStatus;
  readonly version: number;
  readonly lines: readonly OrderLine[];
  readonly referenceId: ReferenceId;
  readonly note: Note;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly actor: Actor;
};

export type OrderId = number;

export const ORDER_STATUSES = ["placed","approved","delivered","cancelled","expired"] as const;
export type OrderStatus = "placed" | "approved" | "delivered" | "cancelled" | "expired";

export type OrderLine = {
  readonly petId: PetId;
  readonly quantity: OrderedUnits;
  readonly delivered: Quantity;
  readonly returned: Quantity;
  readonly reserved: Reserved;
};

export type OrderedUnits = number;

export type OrderPlacement = {
  readonly lines: readonly OrderPlacementLine[];
  readonly expiresAt?: string | null | undefined;
  readonly reason?: Reason | null | undefined;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAt | undefined;
};

export type OrderPlacementLine = {
  readonly petId: PetId;
  readonly quantity: OrderedUnits;
};

export type OrderPart = {
  readonly lines?: readonly PartLine[] | undefined;
  readonly reason?: Reason | null | undefined;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAt | undefined;
};

export type PartLine = {
  readonly petId: PetId;
  readonly quantity?: OrderedUnits | undefined;
};

export type OrderExplanation = {
  readonly reason?: Reason | null | undefined;
  readonly note?: Note | undefined;
  readonly referenceDocumentUri?: ReferenceDocumentUri | undefined;
  readonly referenceId?: ReferenceId | undefined;
  readonly occurredAt?: OccurredAt | undefined;
};

export type StoreInventory = {
  readonly available: number | string;
  readonly pending: number | string;
  readonly sold: number | string;
  readonly reservedUnits: number | string;
  readonly availableUnits: number | string;
};

/** The longest text, the most items, or the largest number. */
export const LIMITS = {
  note: 1000,
  reference: 200,
  petName: 200,
  category: 200,
  accountName: 100,
  keyName: 100,
  target: 200,
  orderLines: 100,
  batchChanges: 1000,
  webhookUrl: 2048,
  webhookDescription: 200,
  webhookPets: 1000,
  keepDays: 36500,
} as const;
