/**
 * How values are read and written, whatever the configuration of the server, the database or the role says: arrays have
 * `NULL`, floating numbers have all their digits, and the two sides of `= NULL` are not equal.
 */
export const EXACT_VALUES =
  'SET array_nulls = on; SET extra_float_digits = 1; SET transform_null_equals = off; SET bytea_output = hex';
