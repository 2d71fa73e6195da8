/** Enumerations of the interface: the words that its requests and responses have. */

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** What a pet's available units call for, from mild to severe. A pet with enough units has no level. */
export const ALERT_LEVELS = ['low', 'out', 'oversold'] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];

/** What caused a movement: an import of pets, an operation that changes stock, a step of an order, or new thresholds. */
export const MOVEMENT_KINDS = [
  'import',
  'set',
  'adjust',
  'status',
  'revert',
  'reserve',
  'release',
  'deliver',
  'return',
  'thresholds',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** Why stock changed, in the words of retail. */
export const REASONS = [
  'correction',
  'cycle_count',
  'received',
  'restock',
  'returned',
  'damaged',
  'shrinkage',
  'promotion',
  'sold',
  'other',
] as const;
export type Reason = (typeof REASONS)[number];

/** `placed`, `approved` and `delivered` are those of the Swagger Petstore. */
export const ORDER_STATUSES = ['placed', 'approved', 'delivered', 'cancelled', 'expired'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Parts of a status that need attention: of placed orders, and of approved ones. */
export const ORDER_STATES = ['expiring', 'partly_delivered'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** Steps of an order after its placement. */
export const ORDER_STEPS = ['approve', 'deliver', 'cancel', 'return', 'expire'] as const;
export type OrderStep = (typeof ORDER_STEPS)[number];

/** The lists of the dashboard that have saved views. */
export const VIEW_LISTS = ['stock', 'orders'] as const;
export type ViewList = (typeof VIEW_LISTS)[number];

/** How high the rows of a list are. */
export const DENSITIES = ['comfortable', 'dense'] as const;
export type Density = (typeof DENSITIES)[number];

/** What can be done to each group, as the activity log names it. */
const ACTIVITY_VERBS = {
  accounts: ['create', 'update'],
  keys: ['create', 'rotate', 'revoke', 'lift-ban'],
  'admin-keys': ['create', 'rotate', 'revoke'],
  sessions: ['create', 'end'],
  'sign-in-codes': ['create'],
  inventory: ['set', 'adjust', 'status', 'thresholds', 'batch'],
  orders: ['place', ...ORDER_STEPS],
  pets: ['create', 'update', 'archive', 'restore', 'delete', 'import'],
  reorders: ['update'],
  'bulk-changes': ['create', 'apply', 'undo', 'cancel', 'finish'],
  imports: ['create', 'plan', 'apply', 'undo', 'cancel', 'delete'],
  'import-mappings': ['set', 'delete'],
  stocktakes: ['start', 'count', 'close', 'undo', 'cancel'],
  thresholds: ['set'],
  movements: ['revert', 'prune'],
  webhooks: ['create', 'update', 'delete', 'pause', 'resume', 'rotate', 'replay', 'resend', 'test'],
} as const;
type ActivityGroup = keyof typeof ACTIVITY_VERBS;
export type ActivityVerb<G extends ActivityGroup> = (typeof ACTIVITY_VERBS)[G][number];
export type ActivityAction = { [G in ActivityGroup]: `${G}.${ActivityVerb<G>}` }[ActivityGroup];

export const ACTIVITY_ACTIONS = Object.entries(ACTIVITY_VERBS).flatMap(([group, verbs]) =>
  verbs.map((verb) => `${group}.${verb}` as ActivityAction),
);

/** Why an attempt to deliver an event failed. `error_status`: its response has another status than 2xx. */
export const DELIVERY_ERRORS = [
  'error_status',
  'timeout',
  'name_not_resolved',
  'connection_refused',
  'connection_failed',
  'tls_failed',
  'invalid_response',
  'address_not_allowed',
  'aborted',
] as const;
export type DeliveryErrorCode = (typeof DELIVERY_ERRORS)[number];

/** Kinds of faults that an audit or a verification finds, in the order of the report. */
export const FAULT_KINDS = [
  'damage',
  'gap',
  'start',
  'prune',
  'retained',
  'expected',
  'time',
  'hash',
  'history',
  'revert',
  'balance',
  'unexplained',
  'orders',
  'search',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Periods of the history of usage. */
export const USAGE_UNITS = ['minute', 'hour', 'day'] as const;
export type UsageUnit = (typeof USAGE_UNITS)[number];

/** What a management key may do: read; also change stock, orders and pets; everything. Each role includes those before it. */
export const ROLES = ['viewer', 'staff', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

export const PLAN_NAMES = ['free', 'pro', 'business', 'enterprise'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

/**
 * - `planning`: the pets are found and compared. Then it is `planned`.
 * - `applying`, `undoing`: batches of pets are written. Then it is `applied`, or `undone`.
 * - `cancelled`: stopped, or replaced by a newer plan. `failed`: it was interrupted too often, or the disk is full.
 */
export const BULK_STATES = [
  'planning',
  'planned',
  'applying',
  'applied',
  'undoing',
  'undone',
  'cancelled',
  'failed',
] as const;
export type BulkState = (typeof BULK_STATES)[number];

/**
 * - `planned`: it will change. `unchanged`: it has the values already. `refused`: it cannot have them.
 * - `changed`: it has the values. `stale`: it stayed, because it changed after the plan.
 * - `undone`: it has its earlier values. `kept`: it stayed, because it was changed again after the change.
 */
export const BULK_OUTCOMES = [
  'planned',
  'unchanged',
  'refused',
  'changed',
  'stale',
  'undone',
  'kept',
] as const;
export type BulkOutcome = (typeof BULK_OUTCOMES)[number];

/**
 * Why a pet is refused: it does not exist; only a pet without stock and reservations is archived; other pets took its codes;
 * another pet has the code that it would get; that SKU would be too long; its petId does not fit into a barcode; units of it are
 * on their way; the reorder list suggests none.
 */
export const BULK_REASONS = [
  'not_found',
  'has_stock',
  'codes_taken',
  'code_in_use',
  'sku_too_long',
  'no_barcode',
  'already_ordered',
  'not_needed',
] as const;
export type BulkReason = (typeof BULK_REASONS)[number];

/** Units that a bulk change orders, where they differ from pet to pet: those of the reorder list, or those of the request. */
export const BULK_UNITS = ['suggested', 'units'] as const;
export type BulkUnits = (typeof BULK_UNITS)[number];

/** CSV with a header, a JSON array, one JSON object per line, or a workbook of a spreadsheet. */
export const IMPORT_FORMATS = ['csv', 'json', 'ndjson', 'xlsx'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** `set`: the quantities of the file replace those of the shop. `add`: they are added to them, and may be negative. */
export const IMPORT_MODES = ['set', 'add'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/** The mark between whole units and their fraction: `1.200` is 1200 with a comma, and 1.2 with a point. */
export const DECIMALS = ['comma', 'point'] as const;
export type Decimal = (typeof DECIMALS)[number];

/** The encodings that spreadsheets and shop systems write. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** What a row does to its pet. */
export const IMPORT_EFFECTS = ['new', 'changed', 'unchanged'] as const;
export type ImportEffect = (typeof IMPORT_EFFECTS)[number];

/** When a stock-take changes the stock: with each count, or with all differences when it is closed. */
export const STOCKTAKE_POSTINGS = ['at_count', 'at_close'] as const;
export type StocktakePosting = (typeof STOCKTAKE_POSTINGS)[number];

/** `cancelled`: it ended without a close, and what its counts had changed is taken back. */
export const STOCKTAKE_STATES = ['running', 'closed', 'undone', 'cancelled'] as const;
export type StocktakeState = (typeof STOCKTAKE_STATES)[number];

/** Between the fields of a CSV for a spreadsheet: those of some countries open no commas. */
export const EXPORT_SEPARATORS = ['comma', 'semicolon', 'tab'] as const;
export type ExportSeparator = (typeof EXPORT_SEPARATORS)[number];

export const EXPORT_FORMATS = ['csv', 'ndjson', 'json', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The columns of a file of pets. */
export const EXPORT_COLUMNS = [
  'petId',
  'name',
  'category',
  'quantity',
  'status',
  'lowStockAt',
  'restockAt',
  'sku',
  'barcodes',
  'supplier',
] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];

/** What the rows of a report are about: all pets together, those of a category, or one pet. */
export const REPORT_GROUPINGS = ['total', 'category', 'pet'] as const;
export type ReportGrouping = (typeof REPORT_GROUPINGS)[number];

/** Whether a row of the report of movements is of a month or of a day. */
export const REPORT_PERIODS = ['month', 'day'] as const;
export type ReportPer = (typeof REPORT_PERIODS)[number];

/** Formats of the file of a report. */
export const REPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** `to_order`: the pet is low, and nothing is on its way. `ordered`: units are on their way. */
export const REORDER_STATES = ['to_order', 'ordered'] as const;
export type ReorderState = (typeof REORDER_STATES)[number];

/** Which pets of the reorder list are shown. */
export const REORDER_FILTERS = ['all', ...REORDER_STATES] as const;
export type ReorderFilter = (typeof REORDER_FILTERS)[number];
