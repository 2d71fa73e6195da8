/** Limits of the interface: what a request may have at most. Texts are counted in characters (`hasAtMost`), addresses in UTF-16 code units. */

/** The largest quantity there can be: beyond it JSON readers disagree about integers (RFC 8259 section 6). */
export const MAX_QUANTITY = Number.MAX_SAFE_INTEGER;

/** Characters of a note. */
export const MAX_NOTE = 1_000;
/** Characters of a reference, the client's own name of what caused a change. */
export const MAX_REFERENCE_ID = 200;
export const MAX_DOCUMENT_URI = 2_000;

/** A placed order that expires within this time expires soon. */
export const ORDER_EXPIRING_MS = 900_000;

/** Characters of a pet's name or category. */
export const MAX_PET_TEXT = 200;
/** Characters of a pet's SKU. */
export const MAX_SKU = 64;
/** Characters of a barcode. */
export const MAX_BARCODE = 48;
/** Barcodes of a pet. */
export const MAX_BARCODES = 20;
/** The name of an account or a key. */
export const MAX_NAME = 100;
/** The most requests per minute or per day that a plan may allow. */
export const MAX_PLAN_REQUESTS = 1_000_000_000;
/** A text by which the activity log is filtered. */
export const MAX_ACTIVITY_TEXT = 200;
export const MAX_FILE_NAME = 200;
/** The name of a remembered mapping, its columns, and how many there are. */
export const MAX_MAPPING_NAME = 60;
export const MAX_MAPPING_COLUMNS = 100;
export const MAX_IMPORT_MAPPINGS = 100;
export const MAX_HEADING = 200;
/** The saved views of a person, the name of one, and the characters of its query. */
export const MAX_SAVED_VIEWS = 30;
export const MAX_VIEW_NAME = 60;
export const MAX_VIEW_QUERY = 500;
export const MAX_SHEET_NAME = 100;

export const MAX_WEBHOOK_URL = 2_048;
export const MAX_WEBHOOK_DESCRIPTION = 200;
/** Pets of the filter of a webhook endpoint. */
export const MAX_FILTER_PETS = 1_000;

/** Characters of the supplier of a pet, and suppliers that are listed. */
export const MAX_SUPPLIER = 100;
export const MAX_SUPPLIERS = 1_000;

/** Items of a page, except of orders. */
export const MAX_PAGE_ITEMS = 1_000;
/** An order has up to 100 lines, so a page has fewer orders than others have items. */
export const MAX_PAGE_ORDERS = 100;
export const MAX_ORDER_LINES = 100;
/** Changes of a batch. */
export const MAX_BATCH_ROWS = 1_000;
/** Pets that a bulk change names; a filter may find any number. */
export const MAX_BULK_PETS = 50_000;
/** Pets that a list of the stock names. */
export const MAX_LISTED_PETS = 1_000;
/** Pets that a list of managed pets names: as many as an order has lines. Each is read by its key. */
export const MAX_NAMED_PETS = MAX_ORDER_LINES;

/** Orders that the overview counts; a larger number is not exact. */
export const MAX_COUNTED = 10_000;
/** The longest history to keep when an operator gives days. */
export const MAX_KEEP_DAYS = 36_500;
