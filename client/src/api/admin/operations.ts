// Written by "npm run openapi" from admin-openapi.json.
import type { ApiPromise, PagePromise } from '../../api-promise.ts';
import type { ConditionalOptions, ConditionalWriteOptions, ExportedFile, FileOptions, RequestOptions, SentFile, StreamOptions, WriteOptions } from '../../options.ts';
import type { RequestParts } from '../../http/request.ts';
import type {
  Account,
  AccountCreation,
  AccountUpdate,
  AccountUsage,
  ActivityEntry,
  AdminKey,
  AdminKeyCreation,
  BulkChange,
  BulkChangeRequest,
  BulkPet,
  ChangedThresholds,
  CreateImportQuery,
  CreatedAdminKey,
  CreatedKey,
  DefaultThresholds,
  ExportMovementReportQuery,
  ExportPetsQuery,
  ExportReordersQuery,
  ExportStockReportQuery,
  ExportVarianceReportQuery,
  GetAccountUsageQuery,
  GetMovementReportQuery,
  GetStockReportQuery,
  GetUsageQuery,
  GetVarianceReportQuery,
  Import,
  ImportApplication,
  ImportMapping,
  ImportRow,
  InventoryAdjustment,
  InventoryBatch,
  InventoryBatchResult,
  InventoryDetail,
  InventoryItem,
  InventoryStatus,
  InventoryUpdate,
  Key,
  KeyCreation,
  KeyRotation,
  LedgerAudit,
  LedgerPruning,
  LiftedBan,
  ListAccountsQuery,
  ListActivityQuery,
  ListAdminKeysQuery,
  ListBansQuery,
  ListBulkChangePetsQuery,
  ListBulkChangesQuery,
  ListImportRowsQuery,
  ListImportsQuery,
  ListInventoryQuery,
  ListItemMovementsQuery,
  ListKeysQuery,
  ListMovementsQuery,
  ListOrdersQuery,
  ListPetsQuery,
  ListReordersQuery,
  ListSessionsQuery,
  ListStocktakeLinesQuery,
  ListStocktakesQuery,
  ListUncountedPetsQuery,
  ListWebhookEndpointsQuery,
  ManagedPet,
  Movement,
  MovementReport,
  MovementRevert,
  NewPet,
  NewThresholds,
  Order,
  OrderApproval,
  OrderExplanation,
  OrderPart,
  OrderPlacement,
  Overview,
  PetChanges,
  PetCount,
  PetIdInput,
  PrunedLedger,
  Reorder,
  ReorderChanges,
  ReplayWebhookEventsQuery,
  ResendWebhookEventQuery,
  RestoredPet,
  RotatedAdminKey,
  RotatedKey,
  RunningBan,
  SavedViews,
  SavedViewsReplacement,
  Session,
  SignIn,
  StockReport,
  Stocktake,
  StocktakeCount,
  StocktakeLine,
  StocktakeStart,
  StocktakeTotals,
  StoreInventory,
  StreamMovementsQuery,
  Supplier,
  SystemFacts,
  Usage,
  VarianceReport,
  Verification,
  VerificationReport,
  WebhookAttempt,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointForAccount,
  WebhookEndpointWithSecret,
  WebhookSecretRotation,
  WrittenImportMapping,
} from './schemas.ts';

/** Every operation of `/admin/v1`, by its `operationId`. */
export abstract class AdminOperations {
  /** Sends a request whose response is one value. */
  protected abstract call<T>(method: string, path: string, parts: RequestParts): ApiPromise<T>;
  /** Sends a request whose response is a page. */
  protected abstract page<T>(method: string, path: string, parts: RequestParts): PagePromise<T>;

  /**
   * Get facts about the service. Returns the version, the database, the ledger, the limits and the
   * policies of this instance.
   *
   * Role: `viewer`.
   */
  getSystem(options?: RequestOptions): ApiPromise<SystemFacts> {
    return this.call('GET', '/system', { options });
  }

  /**
   * Get the state of the shop. Returns totals of pets, the pets with the most severe alerts, orders that
   * wait, the states of webhook endpoints and the movements of the last hours. Pets are counted at most
   * one twentieth of the time, so that totals of a million pets may be minutes old: see `countedAt`.
   *
   * Role: `viewer`.
   */
  getOverview(options?: RequestOptions): ApiPromise<Overview> {
    return this.call('GET', '/overview', { options });
  }

  /**
   * List what was changed, and by whom. Returns the activity log, newest first: every change that
   * management keys and the command line made.
   *
   * Role: `viewer`.
   */
  listActivity(query?: ListActivityQuery, options?: RequestOptions): PagePromise<ActivityEntry> {
    return this.page('GET', '/activity', { query, options });
  }

  /**
   * List accounts. Returns accounts in the order of their names.
   *
   * Role: `viewer`.
   */
  listAccounts(query?: ListAccountsQuery, options?: RequestOptions): PagePromise<Account> {
    return this.page('GET', '/accounts', { query, options });
  }

  /**
   * Create an account. Creates an account without keys. The name of another account is a `conflict`.
   *
   * Role: `administrator`.
   */
  createAccount(body: AccountCreation, options?: RequestOptions): ApiPromise<Account> {
    return this.call('POST', '/accounts', { body, options });
  }

  /**
   * Get an account. Returns one account.
   *
   * Role: `viewer`.
   */
  getAccount(accountId: string, options?: RequestOptions): ApiPromise<Account> {
    return this.call('GET', '/accounts/{accountId}', { path: [accountId], options });
  }

  /**
   * Change an account. Changes the name, the plan, or the limits of the enterprise plan. Every instance
   * applies them within 5 seconds; used requests of the windows stay used.
   *
   * Role: `administrator`.
   */
  updateAccount(accountId: string, body: AccountUpdate, options?: RequestOptions): ApiPromise<Account> {
    return this.call('PATCH', '/accounts/{accountId}', { path: [accountId], body, options });
  }

  /**
   * Get the requests of an account over time. Counts the requests that took something from the limits,
   * per minute for the last 48 hours, per hour for 90 days, per day for 5 years. On SQLite, requests of
   * the last second may be missing.
   *
   * Role: `viewer`.
   */
  getAccountUsage(accountId: string, query?: GetAccountUsageQuery, options?: RequestOptions): ApiPromise<AccountUsage> {
    return this.call('GET', '/accounts/{accountId}/usage', { path: [accountId], query, options });
  }

  /**
   * Get the requests of all accounts over time. Counts the requests of all accounts together that took
   * something from the limits, and names the busiest accounts: per minute for the last 48 hours, per
   * hour for 90 days, per day for 5 years. On SQLite, requests of the last second may be missing.
   *
   * Role: `viewer`.
   */
  getUsage(query?: GetUsageQuery, options?: RequestOptions): ApiPromise<Usage> {
    return this.call('GET', '/usage', { query, options });
  }

  /**
   * List API keys. Returns API keys without their secrets, in the order of the names of their accounts
   * and of their creation.
   *
   * Role: `viewer`.
   */
  listKeys(query?: ListKeysQuery, options?: RequestOptions): PagePromise<Key> {
    return this.page('GET', '/keys', { query, options });
  }

  /**
   * Create an API key. Creates an API key. Only this response has its secret.
   *
   * Role: `administrator`.
   */
  createKey(body: KeyCreation, options?: RequestOptions): ApiPromise<CreatedKey> {
    return this.call('POST', '/keys', { body, options });
  }

  /**
   * Get an API key. Returns one API key without its secret.
   *
   * Role: `viewer`.
   */
  getKey(keyId: string, options?: RequestOptions): ApiPromise<Key> {
    return this.call('GET', '/keys/{keyId}', { path: [keyId], options });
  }

  /**
   * Rotate an API key. Creates a key with the name and the scopes of the old one, which works until the
   * overlap ends. Only this response has the secret of the new key. A key that does not work, or was
   * rotated before, is a `conflict`.
   *
   * Role: `administrator`.
   */
  rotateKey(keyId: string, body?: KeyRotation, options?: RequestOptions): ApiPromise<RotatedKey> {
    return this.call('POST', '/keys/{keyId}/rotate', { path: [keyId], body, options });
  }

  /**
   * Revoke an API key. Revokes the key for good. Every instance refuses it within 5 seconds. A revoked
   * key stays as it is.
   *
   * Role: `administrator`.
   */
  revokeKey(keyId: string, options?: RequestOptions): ApiPromise<Key> {
    return this.call('POST', '/keys/{keyId}/revoke', { path: [keyId], options });
  }

  /**
   * List running bans. Returns the running bans in the order of the ids of their keys.
   *
   * Role: `viewer`.
   */
  listBans(query?: ListBansQuery, options?: RequestOptions): PagePromise<RunningBan> {
    return this.page('GET', '/bans', { query, options });
  }

  /**
   * Lift the ban of an API key. Ends the running ban of the key. Its earlier bans are forgiven too: the
   * next ban is as short as a first one.
   *
   * Role: `administrator`.
   */
  liftBan(keyId: string, options?: RequestOptions): ApiPromise<LiftedBan> {
    return this.call('POST', '/keys/{keyId}/lift-ban', { path: [keyId], options });
  }

  /**
   * List management keys. Returns management keys without their secrets, in the order of their creation.
   *
   * Role: `viewer`.
   */
  listAdminKeys(query?: ListAdminKeysQuery, options?: RequestOptions): PagePromise<AdminKey> {
    return this.page('GET', '/admin-keys', { query, options });
  }

  /**
   * Create a management key. Creates a management key. Only this response has its secret.
   *
   * Role: `administrator`.
   */
  createAdminKey(body: AdminKeyCreation, options?: RequestOptions): ApiPromise<CreatedAdminKey> {
    return this.call('POST', '/admin-keys', { body, options });
  }

  /**
   * Get a management key. Returns one management key without its secret.
   *
   * Role: `viewer`.
   */
  getAdminKey(keyId: string, options?: RequestOptions): ApiPromise<AdminKey> {
    return this.call('GET', '/admin-keys/{keyId}', { path: [keyId], options });
  }

  /**
   * Rotate a management key. Creates a key with the name and the role of the old one, which works until
   * the overlap ends. Only this response has the secret of the new key. A key that does not work, or
   * was rotated before, is a `conflict`.
   *
   * Role: `administrator`.
   */
  rotateAdminKey(keyId: string, body?: KeyRotation, options?: RequestOptions): ApiPromise<RotatedAdminKey> {
    return this.call('POST', '/admin-keys/{keyId}/rotate', { path: [keyId], body, options });
  }

  /**
   * Revoke a management key. Revokes the key for good. Every instance refuses it within 5 seconds. A
   * revoked key stays as it is.
   *
   * Role: `administrator`.
   */
  revokeAdminKey(keyId: string, options?: RequestOptions): ApiPromise<AdminKey> {
    return this.call('POST', '/admin-keys/{keyId}/revoke', { path: [keyId], options });
  }

  /**
   * Sign in to the dashboard. Exchanges a management key, or the code of a sign-in link, for the cookie
   * of a session. The session stands for the key, with its role. It ends 24 hours after the sign-in,
   * after 8 hours without a request, or with the key. A page can sign in only if it is one of this
   * service, by `Sec-Fetch-Site` or `Origin`. An address can fail 10 times per minute.
   */
  createSession(body: SignIn, options?: RequestOptions): ApiPromise<Session> {
    return this.call('POST', '/session', { body, options });
  }

  /**
   * Get the session of this request. Returns the session of the cookie, with the name and the role of
   * its key.
   *
   * Role: `viewer`.
   */
  getSession(options?: RequestOptions): ApiPromise<Session> {
    return this.call('GET', '/session', { options });
  }

  /**
   * Sign out. Ends the session of the cookie, and the cookie. This instance refuses it immediately,
   * every other one within 5 seconds.
   *
   * Role: `viewer`.
   */
  endSession(options?: RequestOptions): ApiPromise<void> {
    return this.call('DELETE', '/session', { options });
  }

  /**
   * List sessions. Returns the sessions that have not ended, in the order of their ids: those of the
   * caller’s key, and for an administrator those of all keys.
   *
   * Role: `viewer`.
   */
  listSessions(query?: ListSessionsQuery, options?: RequestOptions): PagePromise<Session> {
    return this.page('GET', '/sessions', { query, options });
  }

  /**
   * End a session. Ends a session of the caller’s key; an administrator ends any. Every instance refuses
   * it within 5 seconds.
   *
   * Role: `viewer`.
   */
  revokeSession(sessionId: string, options?: RequestOptions): ApiPromise<void> {
    return this.call('DELETE', '/sessions/{sessionId}', { path: [sessionId], options });
  }

  /**
   * Get the saved views of this person. Returns what the person of this management key saved of the
   * lists of the dashboard. A key that replaced another one by rotation has its views.
   *
   * Role: `viewer`.
   */
  getSavedViews(options?: ConditionalOptions): ApiPromise<SavedViews> {
    return this.call('GET', '/saved-views', { options });
  }

  /**
   * Replace the saved views of this person. Replaces all views, so that one request adds, renames,
   * orders and deletes. A name is unique per list, whatever its case, and one view per list is the
   * default at most.
   *
   * Role: `viewer`.
   */
  setSavedViews(body: SavedViewsReplacement, options?: ConditionalOptions): ApiPromise<SavedViews> {
    return this.call('PUT', '/saved-views', { body, options });
  }

  /**
   * Get the default thresholds. Returns when pets without thresholds of their own are low on stock.
   *
   * Role: `viewer`.
   */
  getThresholds(options?: RequestOptions): ApiPromise<DefaultThresholds> {
    return this.call('GET', '/thresholds', { options });
  }

  /**
   * Set the default thresholds. Sets when pets without thresholds of their own are low on stock. Each
   * pet whose alert level changes gets a movement; the response is sent after all of them. After an
   * interruption the same request completes the rest.
   *
   * Role: `staff`.
   */
  setThresholds(body: NewThresholds, options?: RequestOptions): ApiPromise<ChangedThresholds> {
    return this.call('PUT', '/thresholds', { body, options, isCostly: true });
  }

  /**
   * List or search pets. Returns pets by petId, or with `q` those with all of its words, in the order of
   * one of them. With `sku` or `barcode` it returns the pet that has it. With `petId` it returns those
   * of the named pets that exist, archived ones too.
   *
   * Role: `viewer`.
   */
  listPets(query?: ListPetsQuery, options?: RequestOptions): PagePromise<ManagedPet> {
    return this.page('GET', '/pets', { query, options });
  }

  /**
   * Add a pet. Adds a pet with its stock, which is a movement of the kind `import`. A petId that exists
   * is 409 `conflict`, and a code of another pet 409 `code_in_use`: `takeCodes` takes those of archived
   * pets.
   *
   * Role: `staff`.
   */
  createPet(body: NewPet, options?: RequestOptions): ApiPromise<ManagedPet> {
    return this.call('POST', '/pets', { body, options });
  }

  /**
   * Export pets. Returns a file of all pets, or of those that match the filters, in the order of petId,
   * which an import reads, and which changes nothing when it is imported again. Quantities and statuses
   * are those after one movement, named in `Inventory-Sequence`; names, categories, thresholds, codes
   * and suppliers have no history and are those at the time of reading. To continue an interrupted
   * export, send that `sequence`, and `after` with the last petId. A key may read 5 exports at the same
   * time; one more returns 503 `service_unavailable`. In CSV a text that a spreadsheet would run as a
   * formula has an apostrophe before it, which an import removes.
   *
   * Role: `viewer`.
   */
  abstract exportPets<F extends ExportPetsQuery['format'] = undefined>(query?: ExportPetsQuery & { readonly format?: F }, options?: RequestOptions): ApiPromise<ExportedFile<F>>;

  /**
   * List all pets in one response. Returns all pets in the order of petId, archived ones too, as fast as
   * they are read: one JSON array per line. The first line has the names of the members: petId, name,
   * category, quantity, reserved, status, alertLevel, lowStockAt, restockAt, version, lastSequence,
   * updatedAtMs, archivedAtMs, sku, barcodes. The petId is a text, because a JSON parser may round a
   * number; times are Unix times in milliseconds. Pets that change meanwhile are old or new in the
   * response. To stay current, follow the live stream after `Inventory-Sequence`, and apply movements
   * with a greater `version` than the row. A key may read 5 of these lists at the same time; one more
   * returns 503 `service_unavailable`.
   *
   * Role: `viewer`.
   */
  abstract listPetRows(options?: RequestOptions): ApiPromise<string>;

  /**
   * Get a pet. Returns a pet with its stock, also an archived one.
   *
   * Role: `viewer`.
   */
  getManagedPet(petId: PetIdInput, options?: ConditionalOptions): ApiPromise<ManagedPet> {
    return this.call('GET', '/pets/{petId}', { path: [petId], options });
  }

  /**
   * Edit a pet. Changes the name, category, thresholds and codes of a pet, which is a movement of the
   * kind `import`. Without a change nothing is recorded. A code of another pet is 409 `code_in_use`:
   * `takeCodes` takes those of archived pets. The quantity changes with the operations of the
   * inventory.
   *
   * Role: `staff`.
   */
  updatePet(petId: PetIdInput, body: PetChanges, options?: ConditionalOptions): ApiPromise<ManagedPet> {
    return this.call('PATCH', '/pets/{petId}', { path: [petId], body, options });
  }

  /**
   * Delete a pet. Deletes a pet that was created by mistake, with a movement of the kind `import` that
   * reverts its creation: its petId and its codes are free again. Only a pet without a movement besides
   * its creation can be deleted; sales, counts, orders and edits are movements. Any other is 409
   * `conflict`: archive it. Past lists and the ledger keep what there was.
   *
   * Role: `staff`.
   */
  deletePet(petId: PetIdInput, options?: RequestOptions): ApiPromise<void> {
    return this.call('DELETE', '/pets/{petId}', { path: [petId], options });
  }

  /**
   * Archive a pet. Hides a pet from lists and search of this interface; clients still find it. Only a
   * pet without stock and reservations can be archived, else the response is 409 `conflict`.
   *
   * Role: `staff`.
   */
  archivePet(petId: PetIdInput, options?: RequestOptions): ApiPromise<ManagedPet> {
    return this.call('POST', '/pets/{petId}/archive', { path: [petId], options });
  }

  /**
   * Restore a pet. Shows an archived pet again, without the codes that other pets took meanwhile, which
   * `takenCodes` names. A pet that is not archived stays as it is.
   *
   * Role: `staff`.
   */
  restorePet(petId: PetIdInput, options?: RequestOptions): ApiPromise<RestoredPet> {
    return this.call('POST', '/pets/{petId}/restore', { path: [petId], options });
  }

  /**
   * Plan a change of many pets. Plans new values for up to 50000 named pets, or for all pets of a
   * filter: a category, a status, thresholds, codes, their supplier, what is ordered of them, or
   * whether they are archived. Nothing changes before it is applied: read the plan until it is
   * `planned`, and its pets.
   *
   * Role: `staff`.
   */
  createBulkChange(body: BulkChangeRequest, options?: RequestOptions): ApiPromise<BulkChange> {
    return this.call('POST', '/bulk-changes', { body, options, isCostly: true });
  }

  /**
   * List changes of many pets. Returns the bulk changes of the last 7 days, the newest first.
   *
   * Role: `viewer`.
   */
  listBulkChanges(query?: ListBulkChangesQuery, options?: RequestOptions): PagePromise<BulkChange> {
    return this.page('GET', '/bulk-changes', { query, options });
  }

  /**
   * Get a change of many pets. Returns the state of a bulk change, and how many pets have which outcome
   * so far.
   *
   * Role: `viewer`.
   */
  getBulkChange(bulkChangeId: string, options?: RequestOptions): ApiPromise<BulkChange> {
    return this.call('GET', '/bulk-changes/{bulkChangeId}', { path: [bulkChangeId], options });
  }

  /**
   * List the pets of a bulk change. Returns the pets in the order of their petIds, with their values
   * before the change. While it is planned, it returns those so far.
   *
   * Role: `viewer`.
   */
  listBulkChangePets(bulkChangeId: string, query?: ListBulkChangePetsQuery, options?: RequestOptions): PagePromise<BulkPet> {
    return this.page('GET', '/bulk-changes/{bulkChangeId}/pets', { path: [bulkChangeId], query, options, exact: /^petIds?$|Owner$/ });
  }

  /**
   * Apply a change of many pets. Changes the pets of a plan in batches, so that other changes do not
   * wait; the key of this request is the author. Each pet that gets new values has a movement of the
   * kind `import` with the id of the change as its `referenceId`; archiving, a supplier and an order
   * have none. A pet that changed after the plan, or whose new code another pet got, stays as it is,
   * and is `stale`; for a supplier, only another supplier or the deletion of the pet is such a change;
   * for an order, another order, another supplier or the deletion. A service that is interrupted
   * continues where it was. The activity log has one line with the counts when it ends.
   *
   * Role: `staff`.
   */
  applyBulkChange(bulkChangeId: string, options?: RequestOptions): ApiPromise<BulkChange> {
    return this.call('POST', '/bulk-changes/{bulkChangeId}/apply', { path: [bulkChangeId], options });
  }

  /**
   * Undo a change of many pets. Gives the `changed` pets their earlier values back, in batches, also of
   * a change that was cancelled or failed. A pet whose values were changed again, whose ordered units
   * have begun to arrive, whose earlier codes another pet has, or that has stock and would be archived,
   * stays as it is, and is `kept`. Movements are never deleted: an undo adds others.
   *
   * Role: `staff`.
   */
  undoBulkChange(bulkChangeId: string, options?: RequestOptions): ApiPromise<BulkChange> {
    return this.call('POST', '/bulk-changes/{bulkChangeId}/undo', { path: [bulkChangeId], options });
  }

  /**
   * Stop a change of many pets. Ends a plan, or stops a change or an undo where it is. What is changed
   * stays, and can be undone.
   *
   * Role: `staff`.
   */
  cancelBulkChange(bulkChangeId: string, options?: RequestOptions): ApiPromise<BulkChange> {
    return this.call('POST', '/bulk-changes/{bulkChangeId}/cancel', { path: [bulkChangeId], options });
  }

  /**
   * Send a file of pets. Takes a file of pets: CSV with a header, a JSON array, one JSON object per
   * line, or an .xlsx workbook of up to 64 MB. CSV may have commas, semicolons, tabs or bars, be UTF-8,
   * UTF-16 or Windows-1252, and have known headings in English or German. Rows with a title may be
   * above the headings. A count with two readings, such as `1.200`, is read as the other numbers of the
   * file prove it, or as `decimal` says; otherwise it is an error of its row. The fields are `petId`,
   * `sku`, `barcodes`, `name`, `category`, `quantity`, `status`, `lowStockAt`, `restockAt` and
   * `supplier`. A row is of the pet with its `petId`; without one, of the pet with its `sku`, and
   * without one of that with its `barcodes`. What names the pet does not change it; other codes replace
   * those of the pet. A code that no pet has makes a new pet, with the next petId. A pet that is not in
   * the file does not change, nor does a value whose field is empty, `null` or missing. The text `none`
   * as `lowStockAt` or `supplier` removes it; `'none` is a supplier with that name. What is ordered of
   * a pet stays. With `mode=add` the quantities are added to those of the pets; a sum below 0 or above
   * the largest quantity is an error of its row.
   *
   * Role: `staff`.
   */
  abstract createImport(file: SentFile, query?: CreateImportQuery, options?: FileOptions): ApiPromise<Import>;

  /**
   * List imports. Returns the imports, the newest first.
   *
   * Role: `viewer`.
   */
  listImports(query?: ListImportsQuery, options?: RequestOptions): PagePromise<Import> {
    return this.page('GET', '/imports', { query, options });
  }

  /**
   * Get an import. Returns the state of an import, its progress, its counts and its errors.
   *
   * Role: `viewer`.
   */
  getImport(importId: string, options?: RequestOptions): ApiPromise<Import> {
    return this.call('GET', '/imports/{importId}', { path: [importId], options });
  }

  /**
   * Delete an import. Deletes an import with its file and its rows, except while its rows are being
   * written.
   *
   * Role: `staff`.
   */
  deleteImport(importId: string, options?: RequestOptions): ApiPromise<void> {
    return this.call('DELETE', '/imports/{importId}', { path: [importId], options });
  }

  /**
   * Preview an import. Returns the rows of the plan in the order of their petIds, with the values of
   * each pet before and after. While the file is checked, it returns the rows so far.
   *
   * Role: `viewer`.
   */
  listImportRows(importId: string, query?: ListImportRowsQuery, options?: RequestOptions): PagePromise<ImportRow> {
    return this.page('GET', '/imports/{importId}/rows', { path: [importId], query, options });
  }

  /**
   * Get the rows with errors. Returns the rows with errors as a file of the same form, CSV for a
   * workbook. Its first column or member, `import_problem`, says what is wrong; an import of the mended
   * file leaves it out. The file has no rows while the import is checked, if it cannot be read to its
   * end, and of an undo.
   *
   * Role: `viewer`.
   */
  abstract listImportBadRows(importId: string, options?: RequestOptions): ApiPromise<string>;

  /**
   * Plan an import again. Compares the file of a `planned`, `stale` or `failed` import, or the rows that
   * it undoes, with the present stock again.
   *
   * Role: `staff`.
   */
  planImport(importId: string, options?: RequestOptions): ApiPromise<Import> {
    return this.call('POST', '/imports/{importId}/plan', { path: [importId], options });
  }

  /**
   * Apply an import. Writes all rows of a `planned` import, or none, in one transaction; the key of this
   * request is the author. With `goodRows` it also takes an `invalid` import, and leaves the rows with
   * errors out, of which `listImportBadRows` returns a file; of two rows with the same pet the first
   * one is good. When the stock of a row changed after the plan, nothing is written, and the import is
   * `stale` with those rows.
   *
   * Role: `staff`.
   */
  applyImport(importId: string, body?: ImportApplication, options?: RequestOptions): ApiPromise<Import> {
    return this.call('POST', '/imports/{importId}/apply', { path: [importId], body, options });
  }

  /**
   * Undo an import. Makes an import that undoes an `applied` one, and plans it as a file: look at its
   * rows, and apply it. Each pet loses the units that the import gave it, and gets those that it took,
   * so that sales since then count; its other fields get their earlier values back, unless they have
   * changed since. Pets that the import added stay, without those units. Pets that were deleted are
   * left out. Units that are not there any more, or a code that another pet has by now, are an error of
   * the row, and the other rows can be applied with `goodRows`. While such an import waits to be
   * applied, the response is that one. An undo can itself be undone.
   *
   * Role: `staff`.
   */
  undoImport(importId: string, options?: RequestOptions): ApiPromise<Import> {
    return this.call('POST', '/imports/{importId}/undo', { path: [importId], options });
  }

  /**
   * Cancel an import. Ends an import that is not finished. Once its rows are being written, it cannot be
   * cancelled.
   *
   * Role: `staff`.
   */
  cancelImport(importId: string, options?: RequestOptions): ApiPromise<Import> {
    return this.call('POST', '/imports/{importId}/cancel', { path: [importId], options });
  }

  /**
   * List mappings of imports. Returns all remembered mappings in the order of their names, up to 100.
   *
   * Role: `viewer`.
   */
  listImportMappings(options?: RequestOptions): ApiPromise<readonly ImportMapping[]> {
    return this.call('GET', '/import-mappings', { options });
  }

  /**
   * Get a mapping of imports. Returns a remembered mapping, as `petstore import --mapping` reads it from
   * a file.
   *
   * Role: `viewer`.
   */
  getImportMapping(mappingName: string, options?: RequestOptions): ApiPromise<ImportMapping> {
    return this.call('GET', '/import-mappings/{mappingName}', { path: [mappingName], options });
  }

  /**
   * Remember a mapping of imports. Makes the mapping of this name, or replaces it; with another `name`
   * in the body it renames it. `createImport` uses it by its name. Its name has 1 to 60 visible
   * characters. An import that was sent keeps the mapping that it had.
   *
   * Role: `staff`.
   */
  setImportMapping(mappingName: string, body: WrittenImportMapping, options?: RequestOptions): ApiPromise<ImportMapping> {
    return this.call('PUT', '/import-mappings/{mappingName}', { path: [mappingName], body, options });
  }

  /**
   * Forget a mapping of imports. Deletes a remembered mapping. Imports that were sent with it stay as
   * they are.
   *
   * Role: `staff`.
   */
  deleteImportMapping(mappingName: string, options?: RequestOptions): ApiPromise<void> {
    return this.call('DELETE', '/import-mappings/{mappingName}', { path: [mappingName], options });
  }

  /**
   * List stock-takes. Returns the stock-takes, the newest first.
   *
   * Role: `viewer`.
   */
  listStocktakes(query?: ListStocktakesQuery, options?: RequestOptions): PagePromise<Stocktake> {
    return this.page('GET', '/stocktakes', { query, options });
  }

  /**
   * Start a stock-take. Starts a stock-take of all pets, or of those of its `scope`. Several can run at
   * the same time. While one runs, no prune deletes its counts; cancel one that was started by mistake.
   *
   * Role: `administrator`.
   */
  startStocktake(body: StocktakeStart, options?: RequestOptions): ApiPromise<Stocktake> {
    return this.call('POST', '/stocktakes', { body, options });
  }

  /**
   * Get a stock-take. Returns a stock-take.
   *
   * Role: `viewer`.
   */
  getStocktake(stocktakeId: string, options?: RequestOptions): ApiPromise<Stocktake> {
    return this.call('GET', '/stocktakes/{stocktakeId}', { path: [stocktakeId], options });
  }

  /**
   * Get the totals of a stock-take. Returns how many pets are counted, how many are not, and what
   * differs.
   *
   * Role: `viewer`.
   */
  getStocktakeTotals(stocktakeId: string, options?: RequestOptions): ApiPromise<StocktakeTotals> {
    return this.call('GET', '/stocktakes/{stocktakeId}/totals', { path: [stocktakeId], options, isCostly: true });
  }

  /**
   * Count a pet. Records how many units of a pet are there, as a movement of the kind `set` with the
   * reason `cycle_count` and the stock-take as its `referenceId`; also when the count equals the stock.
   * With `posting` `at_count` the stock is then what was counted. With `at_close` it stays. A pet can
   * be counted again: its last count holds.
   *
   * Role: `staff`.
   */
  countPet(stocktakeId: string, body: PetCount, options?: ConditionalWriteOptions): ApiPromise<StocktakeCount> {
    return this.call('POST', '/stocktakes/{stocktakeId}/counts', { path: [stocktakeId], body, options, isKeyed: true });
  }

  /**
   * Report a stock-take. Returns what was expected and what was counted of each counted pet, by petId,
   * and who counted it last. It is computed from the movements.
   *
   * Role: `viewer`.
   */
  listStocktakeLines(stocktakeId: string, query?: ListStocktakeLinesQuery, options?: RequestOptions): PagePromise<StocktakeLine> {
    return this.page('GET', '/stocktakes/{stocktakeId}/report', { path: [stocktakeId], query, options });
  }

  /**
   * List pets that were not counted. Returns the pets of the scope that were not counted yet, by petId.
   * After its end, pets that were added since are left out.
   *
   * Role: `viewer`.
   */
  listUncountedPets(stocktakeId: string, query?: ListUncountedPetsQuery, options?: RequestOptions): PagePromise<ManagedPet> {
    return this.page('GET', '/stocktakes/{stocktakeId}/uncounted', { path: [stocktakeId], query, options });
  }

  /**
   * Close a stock-take. Ends the counting, and posts each variance that is not in the stock yet as an
   * adjustment: all in one transaction, or none. The movements of a pet between its count and the close
   * stay. Changes wait meanwhile; 100,000 differences take seconds. Pets that were not counted stay as
   * they are. If pets have fewer units than are missing, nothing is posted, and the refusal names all
   * of them. Closed twice, it stays as it is; a cancelled one is 409.
   *
   * Role: `administrator`.
   */
  closeStocktake(stocktakeId: string, options?: RequestOptions): ApiPromise<Stocktake> {
    return this.call('POST', '/stocktakes/{stocktakeId}/close', { path: [stocktakeId], options, isCostly: true });
  }

  /**
   * Undo a stock-take. Reverts everything that a closed stock-take changed in the stock: all in one
   * transaction, or none. Later sales and changes stay. If pets have fewer units than the stock-take
   * added, nothing is undone, and the refusal names all of them. Undone twice, it stays as it is; one
   * that runs, or was cancelled, is 409.
   *
   * Role: `administrator`.
   */
  undoStocktake(stocktakeId: string, options?: RequestOptions): ApiPromise<Stocktake> {
    return this.call('POST', '/stocktakes/{stocktakeId}/undo', { path: [stocktakeId], options, isCostly: true });
  }

  /**
   * Cancel a stock-take. Ends a running stock-take that was started by mistake. It posts nothing, and
   * reverts everything that its counts changed in the stock: all in one transaction, or none. Later
   * sales and changes stay, and so does its report, but the variance report leaves it out. If pets have
   * fewer units than its counts added, nothing is changed, and the refusal names all of them. Cancelled
   * twice, it stays as it is; one that was closed is 409.
   *
   * Role: `administrator`.
   */
  cancelStocktake(stocktakeId: string, options?: RequestOptions): ApiPromise<Stocktake> {
    return this.call('POST', '/stocktakes/{stocktakeId}/cancel', { path: [stocktakeId], options, isCostly: true });
  }

  /**
   * Report stock at a moment. Returns the stock after a movement or at a moment, by category, by pet, or
   * of all pets, from the ledger. Names and categories have no history and are those of now. Pages of a
   * report are of the same moment.
   *
   * Role: `viewer`.
   */
  getStockReport(query?: GetStockReportQuery, options?: ConditionalOptions): ApiPromise<StockReport> {
    return this.call('GET', '/reports/stock', { query, options, isCostly: true });
  }

  /**
   * Export stock at a moment. Returns the report `getStockReport` as a file, with all its rows. A key
   * may read 5 of these files at the same time; one more returns 503 `service_unavailable`.
   *
   * Role: `viewer`.
   */
  abstract exportStockReport<F extends ExportStockReportQuery['format'] = undefined>(query?: ExportStockReportQuery & { readonly format?: F }, options?: RequestOptions): ApiPromise<ExportedFile<F>>;

  /**
   * Report movements per month or day. Returns how many movements there were per month or day, kind and
   * reason, and the units that they added and took, those of reverts by the reason of what they take
   * back, of all pets, by category, or by pet, from the ledger. A period before the retention start is
   * refused with `history_pruned`; without `from` the report begins there. Categories are those of now.
   *
   * Role: `viewer`.
   */
  getMovementReport(query?: GetMovementReportQuery, options?: ConditionalOptions): ApiPromise<MovementReport> {
    return this.call('GET', '/reports/movements', { query, options, isCostly: true });
  }

  /**
   * Export movements per month or day. Returns the report `getMovementReport` as a file, with all its
   * rows. A key may read 5 of these files at the same time; one more returns 503 `service_unavailable`.
   *
   * Role: `viewer`.
   */
  abstract exportMovementReport<F extends ExportMovementReportQuery['format'] = undefined>(query?: ExportMovementReportQuery & { readonly format?: F }, options?: RequestOptions): ApiPromise<ExportedFile<F>>;

  /**
   * Report the variance of stock-takes. Returns what was expected and counted in each stock-take that
   * was started in a period, of all its pets, by category, or by pet. A cancelled stock-take is left
   * out. It is computed from the movements, and for stock-takes whose movements a prune deleted, from
   * their kept reports.
   *
   * Role: `viewer`.
   */
  getVarianceReport(query?: GetVarianceReportQuery, options?: ConditionalOptions): ApiPromise<VarianceReport> {
    return this.call('GET', '/reports/variance', { query, options, isCostly: true });
  }

  /**
   * Export the variance of stock-takes. Returns the report `getVarianceReport` as a file, with all its
   * rows. A key may read 5 of these files at the same time; one more returns 503 `service_unavailable`.
   *
   * Role: `viewer`.
   */
  abstract exportVarianceReport<F extends ExportVarianceReportQuery['format'] = undefined>(query?: ExportVarianceReportQuery & { readonly format?: F }, options?: RequestOptions): ApiPromise<ExportedFile<F>>;

  /**
   * List what to order. Returns the pets with an alert level, and those of which units are on their way,
   * without archived ones. The most urgent pet comes first: oversold, out, low, then those with enough;
   * of each of these the fewest days of stock, then the lowest petId. The order is that of now, so a
   * pet whose stock changes between two pages may be on both or on none. With `petId` it returns those
   * of the named pets that exist, by petId, as they are at one moment.
   *
   * Role: `viewer`.
   */
  listReorders(query?: ListReordersQuery, options?: RequestOptions): PagePromise<Reorder> {
    return this.page('GET', '/reorders', { query, options, isCostly: true });
  }

  /**
   * Export what to order. Returns the list `listReorders` as a file, with all its rows. A key may read 5
   * of these files at the same time; one more returns 503 `service_unavailable`.
   *
   * Role: `viewer`.
   */
  abstract exportReorders<F extends ExportReordersQuery['format'] = undefined>(query?: ExportReordersQuery & { readonly format?: F }, options?: RequestOptions): ApiPromise<ExportedFile<F>>;

  /**
   * List suppliers. Returns the suppliers of all pets, up to 1000 of them.
   *
   * Role: `viewer`.
   */
  listSuppliers(options?: RequestOptions): ApiPromise<readonly Supplier[]> {
    return this.call('GET', '/reorders/suppliers', { options });
  }

  /**
   * Get what is ordered of a pet. Returns what a shop needs to know to order a pet, also of one that is
   * not in the list.
   *
   * Role: `viewer`.
   */
  getReorder(petId: PetIdInput, options?: ConditionalOptions): ApiPromise<Reorder> {
    return this.call('GET', '/reorders/{petId}', { path: [petId], options });
  }

  /**
   * Mark a pet as ordered. Sets what is ordered of a pet, when it is expected, and who sells it. Units
   * arrive by any change of the stock with the reason `received`, from this moment on; an undo of such
   * a change takes them back. When all have arrived, nothing is ordered any more. Without a change
   * nothing is recorded.
   *
   * Role: `staff`.
   */
  updateReorder(petId: PetIdInput, body: ReorderChanges, options?: ConditionalOptions): ApiPromise<Reorder> {
    return this.call('PATCH', '/reorders/{petId}', { path: [petId], body, options });
  }

  /**
   * Get the approval of an order. Returns when an order was approved and by whom. Its other steps are
   * movements of its pets. A prune deletes the record.
   *
   * Role: `viewer`.
   */
  getOrderApproval(orderId: number, options?: RequestOptions): ApiPromise<OrderApproval> {
    return this.call('GET', '/store/orders/{orderId}/approval', { path: [orderId], options });
  }

  /**
   * Expire an order before its time. Releases the reserved units of a placed order, also before
   * `expiresAt`. The service itself expires orders whose time has passed. No body is needed.
   *
   * Role: `staff`.
   */
  expireOrder(orderId: number, options?: ConditionalWriteOptions): ApiPromise<Order> {
    return this.call('POST', '/store/orders/{orderId}/expire', { path: [orderId], options, isKeyed: true });
  }

  /**
   * Delete old movements. Deletes movements for good, except the newest of each pet. History, reverts
   * and past lists from before that time are lost: make a backup first. The stock does not change, and
   * audits still work. Begin with `dryRun`. When the clock may be wrong, it is a `conflict`, unless the
   * body has `acceptClock`.
   *
   * Role: `administrator`.
   */
  pruneLedger(body: LedgerPruning, options?: RequestOptions): ApiPromise<PrunedLedger> {
    return this.call('POST', '/ledger/prune', { body, options, isCostly: true });
  }

  /**
   * Verify the database. Checks the storage of the database, every hash and every balance of the ledger,
   * the reservations of orders and the search index. Clients can read and write meanwhile.
   *
   * Role: `administrator`.
   */
  verifyLedger(body?: Verification, options?: RequestOptions): ApiPromise<VerificationReport> {
    return this.call('POST', '/ledger/verify', { body, options, isCostly: true });
  }

  /**
   * List webhook endpoints. Returns endpoints of all accounts or of one, ascending by id. Only
   * administrators see the values of the query of a `url`, which may be tokens.
   *
   * Role: `viewer`.
   */
  listWebhookEndpoints(query?: ListWebhookEndpointsQuery, options?: RequestOptions): PagePromise<WebhookEndpoint> {
    return this.page('GET', '/webhook-endpoints', { query, options });
  }

  /**
   * Make a webhook endpoint. Sends all events from now on to a URL, in order and at least once. The
   * response has the secret that signs them; it is not shown again. A request that is sent twice makes
   * two endpoints.
   *
   * Role: `administrator`.
   */
  createWebhookEndpoint(body: WebhookEndpointForAccount, options?: RequestOptions): ApiPromise<WebhookEndpointWithSecret> {
    return this.call('POST', '/webhook-endpoints', { body, options });
  }

  /**
   * Get a webhook endpoint. Returns an endpoint and the state of its deliveries, without its secret.
   *
   * Role: `viewer`.
   */
  getWebhookEndpoint(endpointId: string, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.call('GET', '/webhook-endpoints/{endpointId}', { path: [endpointId], options });
  }

  /**
   * Change a webhook endpoint. Sets the given members. A filter applies to the events that are not
   * delivered yet, also to those before the change. After a change of the URL the next attempt does not
   * wait. Attempts that begin within 5 seconds of the change may still be as before it.
   *
   * Role: `administrator`.
   */
  updateWebhookEndpoint(endpointId: string, body: WebhookEndpointChanges, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.call('PATCH', '/webhook-endpoints/{endpointId}', { path: [endpointId], body, options });
  }

  /**
   * Delete a webhook endpoint. Ends its deliveries within 5 seconds, and deletes its secret and its log.
   *
   * Role: `administrator`.
   */
  deleteWebhookEndpoint(endpointId: string, options?: RequestOptions): ApiPromise<void> {
    return this.call('DELETE', '/webhook-endpoints/{endpointId}', { path: [endpointId], options });
  }

  /**
   * Rotate the secret of a webhook endpoint. Makes a new secret, which is not shown again. Until the
   * overlap has passed, each message has a signature of both secrets. A rotation during the overlap of
   * another one is a `conflict`, unless its `overlapSeconds` is 0, which ends both secrets: messages
   * have the new one alone within 5 seconds.
   *
   * Role: `administrator`.
   */
  rotateWebhookSecret(endpointId: string, body?: WebhookSecretRotation, options?: RequestOptions): ApiPromise<WebhookEndpointWithSecret> {
    return this.call('POST', '/webhook-endpoints/{endpointId}/rotate', { path: [endpointId], body, options });
  }

  /**
   * Pause a webhook endpoint. Sends nothing, from 5 seconds later at the latest, until it is resumed.
   * Its place among the events is kept. Pausing it again changes nothing.
   *
   * Role: `administrator`.
   */
  pauseWebhookEndpoint(endpointId: string, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.call('POST', '/webhook-endpoints/{endpointId}/pause', { path: [endpointId], options });
  }

  /**
   * Resume a webhook endpoint. Continues after the last event that was delivered. An endpoint that fails
   * gets its next attempt within 5 seconds, and its failures are counted from the start. Resuming one
   * that is neither paused nor failing changes nothing.
   *
   * Role: `administrator`.
   */
  resumeWebhookEndpoint(endpointId: string, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.call('POST', '/webhook-endpoints/{endpointId}/resume', { path: [endpointId], options });
  }

  /**
   * Send a test message. Sends a `webhook.test` immediately, also to a paused endpoint, and returns the
   * attempt. It waits for the response, for 10 seconds at most. Events are not affected. An account has
   * at most 16 tests in progress; another one is a `conflict`.
   *
   * Role: `administrator`.
   */
  testWebhookEndpoint(endpointId: string, options?: RequestOptions): ApiPromise<WebhookAttempt> {
    return this.call('POST', '/webhook-endpoints/{endpointId}/test', { path: [endpointId], options });
  }

  /**
   * Replay events. Continues after this event, whatever was delivered: later events are delivered again
   * with the same bytes, and a later place skips those before it. A paused endpoint stays paused.
   *
   * Role: `administrator`.
   */
  replayWebhookEvents(endpointId: string, query: ReplayWebhookEventsQuery, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.call('POST', '/webhook-endpoints/{endpointId}/replay', { path: [endpointId], query, options });
  }

  /**
   * Send one event again. Sends one event immediately with the same bytes, also to a paused endpoint,
   * and returns the attempt. It waits for the response, for 10 seconds at most. The events in between
   * are not sent, and the place of the endpoint stays. A `conflict` is an event that an active endpoint
   * has still to receive, which a replay attempts now, an event that is being sent, or an account with
   * 16 messages in progress.
   *
   * Role: `administrator`.
   */
  resendWebhookEvent(endpointId: string, query: ResendWebhookEventQuery, options?: RequestOptions): ApiPromise<WebhookAttempt> {
    return this.call('POST', '/webhook-endpoints/{endpointId}/resend', { path: [endpointId], query, options });
  }

  /**
   * List the deliveries of a webhook endpoint. Returns the last 100 attempts, the newest first.
   *
   * Role: `viewer`.
   */
  listWebhookDeliveries(endpointId: string, options?: RequestOptions): ApiPromise<readonly WebhookAttempt[]> {
    return this.call('GET', '/webhook-endpoints/{endpointId}/deliveries', { path: [endpointId], options });
  }

  /**
   * List inventory. Returns current stock levels for all pets in the store, ascending by `petId`. The
   * list contains every change that was acknowledged before the request arrived. With `limit` or
   * `cursor` the list comes in pages.
   *
   * Role: `viewer`.
   */
  listInventory(query?: ListInventoryQuery, options?: ConditionalOptions): PagePromise<InventoryItem> {
    return this.page('GET', '/inventory', { query, options });
  }

  /**
   * Update stock level. Sets the stock quantity of one pet: new arrivals, returns, manual adjustments.
   * The response is sent when the change is on disk. Setting the present quantity changes and records
   * nothing, except with a `reason`: a recount that confirms the quantity is a movement with `delta` 0.
   * Integers by value are accepted (`5.0`, `1e3`); unknown members are ignored.
   *
   * Role: `staff`.
   */
  updateInventory(petId: PetIdInput, body: InventoryUpdate, options?: ConditionalWriteOptions): ApiPromise<InventoryItem> {
    return this.call('PATCH', '/inventory/{petId}', { path: [petId], body, options, isKeyed: true });
  }

  /**
   * Get the stock of a pet. Returns the stock of one pet with its reservations, alert level, version,
   * name and category. `daysOfStock` is the available units divided by the units sold per day, over the
   * last 30 days or, of a newer pet, the days since it was added; in tenths, rounded down.
   *
   * Role: `viewer`.
   */
  getInventoryItem(petId: PetIdInput, options?: ConditionalOptions): ApiPromise<InventoryDetail> {
    return this.call('GET', '/inventory/{petId}', { path: [petId], options });
  }

  /**
   * Adjust stock. Adds to the stock of one pet, or subtracts from it. No concurrent adjustment is lost.
   * The stock never goes below zero, and takes no reserved units without `takeReserved`.
   *
   * Role: `staff`.
   */
  adjustInventory(petId: PetIdInput, body: InventoryAdjustment, options?: ConditionalWriteOptions): ApiPromise<Movement> {
    return this.call('POST', '/inventory/{petId}/adjustments', { path: [petId], body, options, isKeyed: true });
  }

  /**
   * Set the status of a pet. Sets the stock status of one pet. The quantity stays. Setting the current
   * status changes and records nothing.
   *
   * Role: `staff`.
   */
  setInventoryStatus(petId: PetIdInput, body: InventoryStatus, options?: ConditionalWriteOptions): ApiPromise<InventoryItem> {
    return this.call('PUT', '/inventory/{petId}/status', { path: [petId], body, options, isKeyed: true });
  }

  /**
   * Change many pets. Applies up to 1,000 changes in their order, all of them or none, as one request of
   * the quota. The same pet may occur more than once: each row finds the stock as the row before left
   * it.
   *
   * Role: `staff`.
   */
  batchInventory(body: InventoryBatch, options?: WriteOptions): ApiPromise<InventoryBatchResult> {
    return this.call('POST', '/inventory/batch', { body, options, isKeyed: true });
  }

  /**
   * List the movements of a pet. Returns the changes of the stock of one pet, each with its time,
   * author, reason, and the stock before and after, also of a pet that is deleted. A page may have
   * fewer movements than `limit`, or none, and not be the last page.
   *
   * Role: `viewer`.
   */
  listItemMovements(petId: PetIdInput, query?: ListItemMovementsQuery, options?: RequestOptions): PagePromise<Movement> {
    return this.page('GET', '/inventory/{petId}/movements', { path: [petId], query, options });
  }

  /**
   * List movements. Returns the ledger: every change of stock, in order. A page may have fewer movements
   * than `limit`, or none, and not be the last page.
   *
   * Role: `viewer`.
   */
  listMovements(query?: ListMovementsQuery, options?: RequestOptions): PagePromise<Movement> {
    return this.page('GET', '/movements', { query, options });
  }

  /**
   * Get a movement. Returns one movement. A movement never changes.
   *
   * Role: `viewer`.
   */
  getMovement(sequence: number, options?: RequestOptions): ApiPromise<Movement> {
    return this.call('GET', '/movements/{sequence}', { path: [sequence], options });
  }

  /**
   * Revert a movement. Records a movement with the opposite delta, also after later changes. The status
   * is restored if nothing has changed it since. A movement can be reverted once, never below zero, and
   * takes no reserved units without `takeReserved`. The steps of an order are undone by other steps,
   * not by a revert. The revert is a movement too, and can be reverted.
   *
   * Role: `staff`.
   */
  revertMovement(sequence: number, body?: MovementRevert, options?: ConditionalWriteOptions): ApiPromise<Movement> {
    return this.call('POST', '/movements/{sequence}/revert', { path: [sequence], body, options, isKeyed: true });
  }

  /**
   * Follow movements live. Sends every movement as a server-sent event as soon as it is committed by any
   * instance: in the order of sequences, without a gap or a repetition.
   *
   * Role: `viewer`.
   */
  abstract streamMovements(query?: StreamMovementsQuery, options?: StreamOptions): AsyncIterableIterator<Movement>;

  /**
   * Audit the ledger. Recomputes the hashes of all movements and prunes, and the balance of every pet.
   * Returns the first wrong movement.
   *
   * Role: `viewer`.
   */
  auditLedger(options?: RequestOptions): ApiPromise<LedgerAudit> {
    return this.call('GET', '/ledger/audit', { options, isCostly: true });
  }

  /**
   * List orders. Returns orders, the newest first. The parameters filter them, and all must match. A
   * page may have fewer orders than `limit`, or none, and not be the last page.
   *
   * Role: `viewer`.
   */
  listOrders(query?: ListOrdersQuery, options?: RequestOptions): PagePromise<Order> {
    return this.page('GET', '/store/orders', { query, options });
  }

  /**
   * Place an order. Reserves the units of all lines, or of none. Reserved units stay in the stock, but
   * are not available to other orders. The order expires at `expiresAt`, and releases its units, unless
   * it is approved before.
   *
   * Role: `staff`.
   */
  placeOrder(body: OrderPlacement, options?: WriteOptions): ApiPromise<Order> {
    return this.call('POST', '/store/orders', { body, options, isKeyed: true });
  }

  /**
   * Get an order. Returns one order with its lines.
   *
   * Role: `viewer`.
   */
  getOrder(orderId: number, options?: ConditionalOptions): ApiPromise<Order> {
    return this.call('GET', '/store/orders/{orderId}', { path: [orderId], options });
  }

  /**
   * Approve an order. Accepts a placed order before it expires. From then on it never expires, and its
   * units stay reserved until they are delivered or the order is cancelled. An approval moves no stock,
   * so there is no movement that could record an explanation, and no body.
   *
   * Role: `staff`.
   */
  approveOrder(orderId: number, options?: ConditionalWriteOptions): ApiPromise<Order> {
    return this.call('POST', '/store/orders/{orderId}/approve', { path: [orderId], options, isKeyed: true });
  }

  /**
   * Deliver an order. Takes units of an approved order from the stock, and their reservation with them:
   * all that are left, or those of `lines`. When all units are delivered, so is the order.
   *
   * Role: `staff`.
   */
  deliverOrder(orderId: number, body?: OrderPart, options?: ConditionalWriteOptions): ApiPromise<Order> {
    return this.call('POST', '/store/orders/{orderId}/deliver', { path: [orderId], body, options, isKeyed: true });
  }

  /**
   * Cancel an order. Releases the reserved units of a placed or approved order. Units that were
   * delivered before stay delivered, and can still be returned.
   *
   * Role: `staff`.
   */
  cancelOrder(orderId: number, body?: OrderExplanation, options?: ConditionalWriteOptions): ApiPromise<Order> {
    return this.call('POST', '/store/orders/{orderId}/cancel', { path: [orderId], body, options, isKeyed: true });
  }

  /**
   * Return units of an order. Puts delivered units back into the stock: all that are left, or those of
   * `lines`. The status of the order stays.
   *
   * Role: `staff`.
   */
  returnOrder(orderId: number, body?: OrderPart, options?: ConditionalWriteOptions): ApiPromise<Order> {
    return this.call('POST', '/store/orders/{orderId}/return', { path: [orderId], body, options, isKeyed: true });
  }

  /**
   * Get the stock by status. Returns the stock per status: the exact sum of the quantities of all pets.
   * A status without stock is 0. `reservedUnits` are those of open orders, whatever the status;
   * `availableUnits` are all others, below 0 after recounts that found fewer.
   *
   * Role: `viewer`.
   */
  getStoreInventory(options?: RequestOptions): ApiPromise<StoreInventory> {
    return this.call('GET', '/store/inventory', { options, exact: /Units$|^(available|pending|sold)$/ });
  }
}
