// Written by "npm run openapi" from admin-openapi.json. petIds are texts, because a number would round them.

export type SystemFacts = {
  readonly version: string;
  readonly runtime: string;
  readonly environment: Environment;
  readonly engine: Engine;
  readonly databaseBytes: number;
  readonly ledger: {
    readonly head: LedgerPoint;
    readonly start: LedgerPoint;
  };
  readonly newestBackup: NewestBackup;
  readonly startedAt: string;
  readonly uptimeSeconds: number;
  readonly instances: number | null;
  readonly statusPolicy: StatusPolicy;
  readonly limits: {
    readonly maxQuantity: number;
    readonly orderHoldSeconds: number;
    readonly maxStreams: number;
    readonly addressPerMinute: number;
    readonly managementPerMinute: number;
    readonly managementCostlyPerMinute: number;
    readonly maxImportBytes: number;
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
  readonly sequence: number;
  readonly recordedAt: string | null;
};

export type NewestBackup = {
  readonly madeAt: string;
  readonly ageSeconds: number;
  readonly sequence: number;
  readonly bytes: number;
} | null;

export type StatusPolicy = "unchanged" | "sold-at-zero" | "follow-orders";

export type PlanLimits = {
  readonly perMinute: number;
  readonly perDay: number;
};

export type Overview = {
  readonly countedAt: string;
  readonly pets: PetTotals;
  readonly alerts: readonly ManagedPet[];
  readonly categories: readonly CategoryTotals[];
  readonly otherPets: number;
  readonly orders: OpenOrders;
  readonly webhooks: EndpointStates;
  readonly hours: readonly HourOfMovements[];
};

export type PetTotals = {
  readonly total: number;
  readonly archived: number;
  readonly available: number;
  readonly pending: number;
  readonly sold: number;
  readonly low: number;
  readonly out: number;
  readonly oversold: number;
};

export type ManagedPet = {
  readonly petId: string;
  readonly quantity: number;
  readonly status: PetStatus;
  readonly reserved: number;
  readonly available: number;
  readonly alertLevel: AlertLevel | null;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly version: number;
  readonly updatedAt: string;
  readonly name: string | null;
  readonly category: string | null;
  readonly sku: string | null;
  readonly barcodes: readonly string[];
  readonly createdAt: string;
  readonly archivedAt: string | null;
};

export type PetStatus = "available" | "pending" | "sold";

export type AlertLevel = "low" | "out" | "oversold";

export type CategoryTotals = {
  readonly category: string | null;
  readonly pets: number;
  readonly units: number;
  readonly alerts: number;
};

export type OpenOrders = {
  readonly placed: number;
  readonly approved: number;
  readonly expiring: number;
};

export type EndpointStates = {
  readonly endpoints: number;
  readonly paused: number;
  readonly failing: number;
};

export type HourOfMovements = {
  readonly beganAt: string;
  readonly movements: number;
};

export type ActivityEntry = {
  readonly recordedAt: string;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly action: string;
  readonly target: string | null;
  readonly details: Readonly<Record<string, unknown>>;
};

export type Actor = {
  readonly keyId: string | null;
  readonly name: string;
};

export type Account = {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly perMinute: number;
  readonly perDay: number;
  readonly createdAt: string;
};

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
  readonly requests: number;
  readonly periods: readonly UsagePeriod[];
};

export type UsageUnit = "minute" | "hour" | "day";

export type UsagePeriod = {
  readonly beganAt: string;
  readonly requests: number;
};

export type Usage = {
  readonly unit: UsageUnit;
  readonly since: string;
  readonly until: string;
  readonly requests: number;
  readonly periods: readonly UsagePeriod[];
  readonly accounts: readonly UsageOfAccount[];
};

export type UsageOfAccount = {
  readonly id: string;
  readonly name: string;
  readonly requests: number;
  readonly fullPeriods: number | null;
};

export type CreatedKey = {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly rotatedFrom: string | null;
  readonly accountId: string;
  readonly scopes: readonly string[];
  readonly key: string;
};

export type KeyCreation = {
  readonly accountId: string;
  readonly name?: string | undefined;
  readonly scopes?: readonly ("inventory:read" | "inventory:write" | "inventory:adjust" | "inventory:status" | "inventory:batch" | "movements:read" | "movements:revert" | "ledger:audit" | "pets:read" | "orders:read" | "orders:place" | "orders:approve" | "orders:deliver" | "orders:cancel" | "orders:return" | "webhooks:manage")[] | undefined;
  readonly expiresAt?: string | undefined;
};

export type Key = {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly rotatedFrom: string | null;
  readonly accountId: string;
  readonly scopes: readonly string[];
};

export type RotatedKey = {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly rotatedFrom: string | null;
  readonly accountId: string;
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
  readonly level: number;
  readonly bannedAt: string;
  readonly endsAt: string;
};

export type LiftedBan = {
  readonly keyId: string;
  readonly lifted: boolean;
};

export type CreatedAdminKey = {
  readonly id: string;
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
  readonly id: string;
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
  readonly id: string;
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
  readonly firstKeyId: string;
  readonly name: string;
  readonly role: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly idleExpiresAt: string;
  readonly expiresAt: string;
  readonly isCurrent: boolean;
};

export type SavedViews = {
  readonly views: readonly SavedView[];
};

export type SavedView = {
  readonly name: string;
  readonly list: "stock" | "orders";
  readonly query: string;
  readonly density: "comfortable" | "dense" | null;
  readonly isDefault: boolean;
};

export type DefaultThresholds = {
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
};

export type ChangedThresholds = {
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly movements: number;
};

export type NewThresholds = {
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
};

export type PetChanges = {
  readonly name?: string | null | undefined;
  readonly category?: string | null | undefined;
  readonly lowStockAt?: number | null | undefined;
  readonly restockAt?: number | null | undefined;
  readonly sku?: string | null | undefined;
  readonly barcodes?: readonly string[] | undefined;
  readonly takeCodes?: boolean | undefined;
};

export type RestoredPet = {
  readonly petId: string;
  readonly quantity: number;
  readonly status: PetStatus;
  readonly reserved: number;
  readonly available: number;
  readonly alertLevel: AlertLevel | null;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly version: number;
  readonly updatedAt: string;
  readonly name: string | null;
  readonly category: string | null;
  readonly sku: string | null;
  readonly barcodes: readonly string[];
  readonly createdAt: string;
  readonly archivedAt: string | null;
  readonly takenCodes: readonly {
    readonly kind: "sku" | "barcode";
    readonly code: string;
    readonly petId: string;
  }[];
};

export type BulkChange = {
  readonly id: string;
  readonly state: BulkState;
  readonly filter: BulkFilter;
  readonly set: BulkValues;
  readonly counts: BulkCounts;
  readonly failure: string | null;
  readonly failureCode: "disk_full" | "interrupted" | null;
  readonly createdBy: string;
  readonly appliedBy: string | null;
  readonly undoneBy: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type BulkState = "planning" | "planned" | "applying" | "applied" | "undoing" | "undone" | "cancelled" | "failed";

export type BulkFilter = {
  readonly q?: string | undefined;
  readonly archived?: "exclude" | "include" | "only" | undefined;
  readonly status?: PetStatus | undefined;
  readonly category?: string | undefined;
  readonly supplier?: string | undefined;
  readonly alert?: readonly AlertLevel[] | undefined;
  readonly quantityGte?: number | undefined;
  readonly quantityLte?: number | undefined;
  readonly availableLte?: number | undefined;
  readonly updatedSince?: string | undefined;
} | null;

export type BulkValues = {
  readonly category?: string | null | undefined;
  readonly status?: PetStatus | undefined;
  readonly lowStockAt?: number | null | undefined;
  readonly restockAt?: number | null | undefined;
  readonly sku?: string | null | undefined;
  readonly barcodes?: readonly string[] | undefined;
  readonly inStorePrefix?: "20" | "21" | "22" | "23" | "24" | "25" | "26" | "27" | "28" | "29" | undefined;
  readonly archived?: boolean | undefined;
  readonly supplier?: string | null | undefined;
  readonly ordered?: number | BulkUnits | undefined;
  readonly expectedOn?: string | null | undefined;
};

export type BulkUnits = "suggested" | "units";

export type BulkCounts = {
  readonly planned: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly changed: number;
  readonly stale: number;
  readonly undone: number;
  readonly kept: number;
};

export type BulkPet = {
  readonly petId: string;
  readonly name: string | null;
  readonly outcome: BulkOutcome;
  readonly reason: BulkReason;
  readonly codeOwner: string | null;
  readonly before: BulkFacts;
  readonly codes: BulkCodes | null;
  readonly ordered: number | null;
};

export type BulkOutcome = "planned" | "unchanged" | "refused" | "changed" | "stale" | "undone" | "kept";

export type BulkReason = "not_found" | "has_stock" | "codes_taken" | "code_in_use" | "sku_too_long" | "no_barcode" | "already_ordered" | "not_needed" | null;

export type BulkFacts = {
  readonly category: string | null;
  readonly status: PetStatus;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly sku: string | null;
  readonly barcodes: readonly string[];
  readonly archived: boolean;
  readonly supplier: string | null;
} | null;

export type BulkCodes = {
  readonly sku: string | null;
  readonly barcodes: readonly string[];
};

export type Import = {
  readonly id: string;
  readonly state: ImportState;
  readonly format: ImportFormat;
  readonly mode: ImportMode;
  readonly fileName: string | null;
  readonly byteCount: number;
  readonly checkedBytes: number;
  readonly counts: ImportCounts;
  readonly errors: readonly ImportError[];
  readonly errorCount: number;
  readonly badRows: number;
  readonly newPetsToCheck: number;
  readonly reading: ImportReading;
  readonly failure: string | null;
  readonly failureCode: "disk_full" | "not_started" | "interrupted" | "nothing_to_undo" | null;
  readonly createdBy: string;
  readonly appliedBy: string | null;
  readonly appliedBefore: string | null;
  readonly undoes: string | null;
  readonly undoneBy: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type ImportState = "receiving" | "checking" | "planned" | "invalid" | "applying" | "applied" | "stale" | "cancelled" | "failed";

export type ImportFormat = "csv" | "json" | "ndjson" | "xlsx";

export type ImportMode = "set" | "add";

export type ImportCounts = {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
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

export type ImportErrorCode = "empty_file" | "spreadsheet_file" | "no_workbook" | "damaged_workbook" | "workbook_macros" | "workbook_too_large" | "several_sheets" | "unknown_sheet" | "too_many_columns" | "too_many_empty_rows" | "unreadable_text" | "mixed_encodings" | "uncertain_encoding" | "no_pets" | "too_many_pets" | "row_too_long" | "quote_not_closed" | "text_after_quote" | "quote_inside_field" | "repeated_column" | "unknown_column" | "missing_column" | "mapped_column_missing" | "named_column_missing" | "wrong_field_count" | "array_missing" | "array_not_closed" | "comma_missing" | "element_missing" | "text_after_array" | "invalid_json" | "value_not_closed" | "string_not_closed" | "not_an_object" | "unknown_member" | "repeated_member" | "date_cell" | "error_cell" | "formula_without_value" | "external_cell" | "missing_value" | "invalid_pet_id" | "invalid_sku" | "invalid_barcode" | "wrong_check_digit" | "zero_barcode" | "shortened_code" | "too_many_barcodes" | "repeated_code" | "code_in_use" | "codes_of_two_pets" | "code_moved" | "no_pet_id_left" | "unknown_code" | "repeated_pet" | "not_a_text" | "text_too_long" | "invalid_character" | "invalid_status" | "ambiguous_number" | "invalid_quantity" | "quantity_too_large" | "sum_below_zero" | "sum_too_large" | "invalid_threshold" | "low_stock_at_missing" | "restock_at_too_low" | "stock_changed";

export type ImportReading = {
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | null;
  readonly separator: string | null;
  readonly headingLine: number | null;
  readonly sheet: string | null;
  readonly decimal: "comma" | "point" | null;
  readonly leftOut: readonly string[];
  readonly mapping: string | null;
} | null;

export type ImportRow = {
  readonly petId: string;
  readonly line: number;
  readonly element: number | null;
  readonly effect: ImportEffect;
  readonly before: ImportedValues;
  readonly after: ImportedValues;
};

export type ImportEffect = "new" | "changed" | "unchanged";

export type ImportedValues = {
  readonly name: string | null;
  readonly category: string | null;
  readonly quantity: number;
  readonly status: PetStatus;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly sku: string | null;
  readonly barcodes: readonly string[];
  readonly supplier: string | null;
} | null;

export type ImportMapping = {
  readonly name: string;
  readonly columns: readonly MappedColumn[];
  readonly decimal: "comma" | "point" | null;
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | null;
  readonly sheet: string | null;
  readonly updatedBy: string;
  readonly updatedAt: string;
};

export type MappedColumn = {
  readonly heading: string;
  readonly field: "petId" | "sku" | "barcodes" | "name" | "category" | "quantity" | "status" | "lowStockAt" | "restockAt" | "supplier" | null;
};

export type WrittenImportMapping = {
  readonly name?: string | undefined;
  readonly columns: readonly MappedColumn[];
  readonly decimal?: "comma" | "point" | null | undefined;
  readonly encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | null | undefined;
  readonly sheet?: string | null | undefined;
};

export type Stocktake = {
  readonly id: string;
  readonly name: string;
  readonly state: StocktakeState;
  readonly scope: StocktakeScope;
  readonly posting: StocktakePosting;
  readonly startedBy: Actor;
  readonly startedAt: string;
  readonly closedBy: Actor | null;
  readonly closedAt: string | null;
  readonly undoneBy: Actor | null;
  readonly undoneAt: string | null;
  readonly cancelledBy: Actor | null;
  readonly cancelledAt: string | null;
  readonly prunedAt: string | null;
};

export type StocktakeState = "running" | "closed" | "undone" | "cancelled";

export type StocktakeScope = {
  readonly q: string | null;
  readonly category: string | null;
  readonly status: PetStatus | null;
  readonly alert: readonly AlertLevel[] | null;
};

export type StocktakePosting = "at_count" | "at_close";

export type StocktakeStart = {
  readonly name: string;
  readonly scope?: StocktakeFilter | undefined;
  readonly posting?: StocktakePosting | undefined;
};

export type StocktakeFilter = {
  readonly q?: string | null | undefined;
  readonly category?: string | null | undefined;
  readonly status?: PetStatus | null | undefined;
  readonly alert?: readonly ("low" | "out" | "oversold")[] | null | undefined;
};

export type StocktakeTotals = {
  readonly sequence: number;
  readonly counted: number;
  readonly uncounted: number;
  readonly differences: number;
  readonly surplus: number | string;
  readonly shortage: number | string;
  readonly unposted: number;
};

export type StocktakeCount = {
  readonly petId: string;
  readonly counted: number;
  readonly sequence: number;
  readonly quantity: number;
};

export type PetCount = {
  readonly petId: string;
  readonly counted: number;
  readonly note?: string | null | undefined;
  readonly occurredAt?: string | null | undefined;
};

export type StocktakeLine = {
  readonly petId: string;
  readonly name: string | null;
  readonly category: string | null;
  readonly expected: number;
  readonly counted: number;
  readonly variance: number;
  readonly posted: number;
  readonly counts: number;
  readonly countedBy: Actor;
  readonly countedAt: string;
  readonly sequence: number;
};

export type ReportGrouping = "total" | "category" | "pet";

export type StockReportRow = {
  readonly petId: string | null;
  readonly name: string | null;
  readonly category: string | null;
  readonly pets: number;
  readonly quantity: number | string;
  readonly reserved: number | string;
  readonly available: number | string;
};

export type MovementReportRow = {
  readonly month: string;
  readonly day: string | null;
  readonly petId: string | null;
  readonly name: string | null;
  readonly category: string | null;
  readonly kind: "import" | "set" | "adjust" | "status" | "revert" | "reserve" | "release" | "deliver" | "return" | "thresholds";
  readonly reason: "correction" | "cycle_count" | "received" | "restock" | "returned" | "damaged" | "shrinkage" | "promotion" | "sold" | "other" | null;
  readonly revertedReason: "correction" | "cycle_count" | "received" | "restock" | "returned" | "damaged" | "shrinkage" | "promotion" | "sold" | "other" | null;
  readonly movements: number;
  readonly unitsIn: number | string;
  readonly unitsOut: number | string;
  readonly change: number | string;
};

export type VarianceReportRow = {
  readonly stocktakeId: string;
  readonly stocktake: string;
  readonly state: "running" | "closed" | "undone";
  readonly startedAt: string;
  readonly closedAt: string | null;
  readonly petId: string | null;
  readonly name: string | null;
  readonly category: string | null;
  readonly pets: number;
  readonly expected: number | string;
  readonly counted: number | string;
  readonly variance: number | string;
  readonly surplus: number | string;
  readonly shortage: number | string;
  readonly posted: number | string;
};

export type Reorder = {
  readonly petId: string;
  readonly name: string | null;
  readonly category: string | null;
  readonly sku: string | null;
  readonly supplier: string | null;
  readonly state: "to_order" | "ordered" | null;
  readonly alertLevel: AlertLevel | null;
  readonly quantity: number;
  readonly reserved: number;
  readonly available: number;
  readonly daysOfStock: number | null;
  readonly enough: number;
  readonly suggested: number;
  readonly ordered: number | null;
  readonly received: number;
  readonly outstanding: number;
  readonly expectedOn: string | null;
  readonly orderedAt: string | null;
  readonly orderedBy: Actor | null;
  readonly etag: string;
};

export type ReorderChanges = {
  readonly supplier?: string | null | undefined;
  readonly ordered?: number | null | undefined;
  readonly expectedOn?: string | null | undefined;
};

export type OrderApproval = {
  readonly approvedAt: string | null;
  readonly actor: Actor | null;
};

export type PrunedLedger = {
  readonly dryRun?: true | undefined;
  readonly movements: number;
  readonly start: {
    readonly sequence: number;
    readonly recordedAt: string | null;
  };
  readonly endpointsBehind?: number | undefined;
  readonly prune?: Prune | null | undefined;
};

export type Prune = {
  readonly number: number;
  readonly afterSequence: number;
  readonly start: {
    readonly sequence: number;
    readonly recordedAt: string;
    readonly hash: string;
  };
  readonly decidedSequence: number;
  readonly retained: number;
  readonly retainedDigest: string;
  readonly deleted: number;
  readonly actor: {
    readonly keyId: string | null;
  };
  readonly recordedAt: string;
  readonly previousHash: string;
  readonly hash: string;
};

export type LedgerPruning = {
  readonly before?: string | undefined;
  readonly keepDays?: number | undefined;
  readonly dryRun?: boolean | undefined;
  readonly acceptClock?: boolean | undefined;
};

export type VerificationReport = {
  readonly pets: number;
  readonly movements: number;
  readonly hashesChecked: number;
  readonly retentionStart: {
    readonly sequence: number;
    readonly recordedAt: string | null;
  };
  readonly prunes: readonly Prune[];
  readonly head: {
    readonly sequence: number;
    readonly hash: string;
  };
  readonly firstBadSequence: number | null;
  readonly faults: readonly string[];
  readonly findings: readonly {
    readonly code: "damage" | "gap" | "start" | "prune" | "retained" | "expected" | "time" | "hash" | "history" | "revert" | "balance" | "unexplained" | "orders" | "search";
    readonly count: number;
  }[];
};

export type ExpectedPoint = {
  readonly sequence: number;
  readonly hash: string;
};

export type WebhookEndpoint = {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly description: string | null;
  readonly types: WebhookTypes;
  readonly petIds: WebhookPetIds;
  readonly statuses: WebhookStatuses;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly pausedAt: string | null;
  readonly pauseReason: string | null;
  readonly previousSecretExpiresAt: string | null;
  readonly lastEventId: string;
  readonly failingSince: string | null;
  readonly failures: number;
  readonly retryAt: string | null;
};

export type WebhookTypes = readonly string[] | null;

export type WebhookPetIds = readonly string[] | null;

export type WebhookStatuses = readonly PetStatus[] | null;

export type WebhookEndpointWithSecret = {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
};

export type WebhookEndpointForAccount = {
  readonly accountId: string;
  readonly url: string;
  readonly description?: string | null | undefined;
  readonly types?: WebhookTypes | undefined;
  readonly petIds?: WebhookPetIds | undefined;
  readonly statuses?: WebhookStatuses | undefined;
};

export type WebhookEndpointChanges = {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly types?: WebhookTypes | undefined;
  readonly petIds?: WebhookPetIds | undefined;
  readonly statuses?: WebhookStatuses | undefined;
};

export type WebhookAttempt = {
  readonly number: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly attempt: number;
  readonly attemptedAt: string;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly errorCode: "error_status" | "timeout" | "name_not_resolved" | "connection_refused" | "connection_failed" | "tls_failed" | "invalid_response" | "address_not_allowed" | "aborted" | null;
  readonly errorDetail: string | null;
  readonly response: string | null;
};

export type InventoryItem = {
  readonly petId: string;
  readonly quantity: number;
  readonly status: PetStatus;
};

export type InventoryUpdate = {
  readonly quantity: number;
  readonly changeFromQuantity?: number | undefined;
  readonly reason?: Reason | null | undefined;
  readonly note?: string | null | undefined;
  readonly referenceDocumentUri?: string | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly occurredAt?: string | null | undefined;
};

export type Reason = "correction" | "cycle_count" | "received" | "restock" | "returned" | "damaged" | "shrinkage" | "promotion" | "sold" | "other";

export type InventoryDetail = {
  readonly petId: string;
  readonly quantity: number;
  readonly status: PetStatus;
  readonly reserved: number;
  readonly available: number;
  readonly alertLevel: AlertLevel | null;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly daysOfStock: number | null;
  readonly version: number;
  readonly updatedAt: string;
  readonly name: string | null;
  readonly category: string | null;
};

export type InventoryBatchResult = {
  readonly planId: string;
  readonly dryRun: boolean;
  readonly applied: number;
  readonly rows: readonly BatchRow[];
};

export type BatchRow = {
  readonly petId: string;
  readonly code: string;
  readonly message: string | null;
  readonly before: BatchStock | null;
  readonly after: BatchStock | null;
  readonly sequence: number | null;
};

export type BatchStock = {
  readonly quantity: number;
  readonly reserved: number;
  readonly status: PetStatus;
  readonly version: number;
  readonly etag: string | null;
};

export type BatchChange = BatchQuantity | BatchAdjustment | BatchRevert;

export type BatchQuantity = {
  readonly petId: string;
  readonly note?: string | null | undefined;
  readonly referenceDocumentUri?: string | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly occurredAt?: string | null | undefined;
  readonly changeFromQuantity?: number | undefined;
  readonly ifMatch?: string | undefined;
  readonly quantity: number;
  readonly reason?: Reason | null | undefined;
};

export type BatchAdjustment = {
  readonly petId: string;
  readonly note?: string | null | undefined;
  readonly referenceDocumentUri?: string | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly occurredAt?: string | null | undefined;
  readonly changeFromQuantity?: number | undefined;
  readonly ifMatch?: string | undefined;
  readonly delta: number;
  readonly reason: Reason;
  readonly takeReserved?: boolean | undefined;
};

export type BatchRevert = {
  readonly petId: string;
  readonly note?: string | null | undefined;
  readonly referenceDocumentUri?: string | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly occurredAt?: string | null | undefined;
  readonly changeFromQuantity?: number | undefined;
  readonly ifMatch?: string | undefined;
  readonly revert: number;
  readonly reason?: Reason | null | undefined;
  readonly takeReserved?: boolean | undefined;
};

export type Movement = {
  readonly sequence: number;
  readonly petId: string;
  readonly version: number;
  readonly kind: MovementKind;
  readonly delta: number;
  readonly quantityBefore: number;
  readonly quantityAfter: number;
  readonly statusBefore: PetStatus | null;
  readonly statusAfter: PetStatus;
  readonly reservedBefore: number;
  readonly reservedAfter: number;
  readonly alertBefore: AlertLevel | null;
  readonly alertAfter: AlertLevel | null;
  readonly alert: Alert | null;
  readonly orderId: number | null;
  readonly reason: Reason | null;
  readonly note: string | null;
  readonly referenceDocumentUri: string | null;
  readonly referenceId: string | null;
  readonly occurredAt: string | null;
  readonly recordedAt: string;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly revertedSequence: number | null;
  readonly previousSequence: number | null;
  readonly hash: string;
};

export type MovementKind = "import" | "set" | "adjust" | "status" | "revert" | "reserve" | "release" | "deliver" | "return" | "thresholds";

export type Alert = "low" | "out" | "oversold" | "back";

export type Order = {
  readonly orderId: number;
  readonly status: OrderStatus;
  readonly version: number;
  readonly lines: readonly OrderLine[];
  readonly referenceId: string | null;
  readonly note: string | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly actor: Actor;
};

export type OrderStatus = "placed" | "approved" | "delivered" | "cancelled" | "expired";

export type OrderLine = {
  readonly petId: string;
  readonly quantity: number;
  readonly delivered: number;
  readonly returned: number;
  readonly reserved: number;
};

export type OrderPlacement = {
  readonly lines: readonly OrderPlacementLine[];
  readonly expiresAt?: string | null | undefined;
  readonly reason?: Reason | null | undefined;
  readonly note?: string | null | undefined;
  readonly referenceDocumentUri?: string | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly occurredAt?: string | null | undefined;
};

export type OrderPlacementLine = {
  readonly petId: string;
  readonly quantity: number;
};

export type OrderPart = {
  readonly lines?: readonly PartLine[] | undefined;
  readonly reason?: Reason | null | undefined;
  readonly note?: string | null | undefined;
  readonly referenceDocumentUri?: string | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly occurredAt?: string | null | undefined;
};

export type PartLine = {
  readonly petId: string;
  readonly quantity?: number | undefined;
};

export type StoreInventory = {
  readonly available: number | string;
  readonly pending: number | string;
  readonly sold: number | string;
  readonly reservedUnits: number | string;
  readonly availableUnits: number | string;
};
