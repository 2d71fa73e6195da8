/**
 * How values are read and written, whatever the configuration of the server, the database or the role says: arrays have
 * `NULL`, floating numbers have all their digits, and the two sides of `= NULL` are not equal.
 */
export const EXACT_VALUES =
  'SET array_nulls = on; SET extra_float_digits = 1; SET transform_null_equals = off; SET bytea_output = hex';

/**
 * No time-out of the server, the database or the role ends a session, a transaction or a statement. PostgreSQL 16 and
 * older have no transaction_timeout.
 */
export const NO_TIME_OUTS = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET idle_session_timeout = 0;
SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'`;

/**
 * The server ends a session within a minute after the host of its client is gone, and frees the lock of the ledger that it may hold. Its
 * system alone notices after two hours. Where the system knows no such setting, the server only logs that.
 */
export const KEEP_ALIVE = `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 5;
SET tcp_user_timeout = 60000`;

/**
 * The tables of the shop stay the ones that a session uses, and their schema the one in which it makes more, when the path
 * gets an earlier schema without such tables. That of the default path is made with the name of the user.
 */
export const SCHEMA_OF_SHOP = `SELECT set_config('search_path', quote_ident(nspname) || ', ' || current_setting('search_path'), false)
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE pg_class.oid = to_regclass('schema_migrations') AND nspname <> current_schema()`;
