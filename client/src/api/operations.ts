// Written by "npm run openapi" from openapi.json.
import type { ApiPromise, PagePromise } from '../api-promise.ts';
import type { ConditionalOptions, ConditionalWriteOptions, RequestOptions, StreamOptions, WriteOptions } from '../options.ts';
import type { RequestParts } from '../http/request.ts';
import type {
  CatalogPet,
  InventoryAdjustment,
  InventoryBatch,
  InventoryBatchResult,
  InventoryDetail,
  InventoryItem,
  InventoryStatus,
  InventoryUpdate,
  LedgerAudit,
  ListCatalogQuery,
  ListInventoryQuery,
  ListItemMovementsQuery,
  ListMovementsQuery,
  ListOrdersQuery,
  Movement,
  MovementRevert,
  Order,
  OrderExplanation,
  OrderPart,
  OrderPlacement,
  Pet,
  PetIdInput,
  RateLimit,
  ReplayWebhookEventsQuery,
  StoreInventory,
  StreamMovementsQuery,
  WebhookAttempt,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret,
  WebhookSecretRotation,
} from './schemas.ts';

/** Every operation of `/v1`, by its `operationId`. */
export abstract class Operations {
  /** Sends a request whose response is one value. */
  protected abstract call<T>(method: string, path: string, parts: RequestParts): ApiPromise<T>;
  /** Sends a request whose response is a page. */
  protected abstract page<T>(method: string, path: string, parts: RequestParts): PagePromise<T>;

  /**
   * List inventory. Returns current stock levels for all pets in the store, ascending by `petId`. The
   * list contains every change that was acknowledged before the request arrived. With `limit` or
   * `cursor` the list comes in pages.
   *
   * Scope: `inventory:read`.
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
   * Scope: `inventory:write`.
   */
  updateInventory(petId: PetIdInput, body: InventoryUpdate, options?: ConditionalWriteOptions): ApiPromise<InventoryItem> {
    return this.call('PATCH', '/inventory/{petId}', { path: [petId], body, options, isKeyed: true });
  }

  /**
   * Get the stock of a pet. Returns the stock of one pet with its reservations, alert level, version,
   * name and category. `daysOfStock` is the available units divided by the units sold per day, over the
   * last 30 days or, of a newer pet, the days since it was added; in tenths, rounded down.
   *
   * Scope: `inventory:read`.
   */
  getInventoryItem(petId: PetIdInput, options?: ConditionalOptions): ApiPromise<InventoryDetail> {
    return this.call('GET', '/inventory/{petId}', { path: [petId], options });
  }

  /**
   * Adjust stock. Adds to the stock of one pet, or subtracts from it. No concurrent adjustment is lost.
   * The stock never goes below zero, and takes no reserved units without `takeReserved`.
   *
   * Scope: `inventory:adjust`.
   */
  adjustInventory(petId: PetIdInput, body: InventoryAdjustment, options?: ConditionalWriteOptions): ApiPromise<Movement> {
    return this.call('POST', '/inventory/{petId}/adjustments', { path: [petId], body, options, isKeyed: true });
  }

  /**
   * Set the status of a pet. Sets the stock status of one pet. The quantity stays. Setting the current
   * status changes and records nothing.
   *
   * Scope: `inventory:status`.
   */
  setInventoryStatus(petId: PetIdInput, body: InventoryStatus, options?: ConditionalWriteOptions): ApiPromise<InventoryItem> {
    return this.call('PUT', '/inventory/{petId}/status', { path: [petId], body, options, isKeyed: true });
  }

  /**
   * Change many pets. Applies up to 1,000 changes in their order, all of them or none, as one request of
   * the quota. The same pet may occur more than once: each row finds the stock as the row before left
   * it.
   *
   * Scope: `inventory:batch`.
   */
  batchInventory(body: InventoryBatch, options?: WriteOptions): ApiPromise<InventoryBatchResult> {
    return this.call('POST', '/inventory/batch', { body, options, isKeyed: true });
  }

  /**
   * List the movements of a pet. Returns the changes of the stock of one pet, each with its time,
   * author, reason, and the stock before and after, also of a pet that is deleted. A page may have
   * fewer movements than `limit`, or none, and not be the last page.
   *
   * Scope: `movements:read`.
   */
  listItemMovements(petId: PetIdInput, query?: ListItemMovementsQuery, options?: RequestOptions): PagePromise<Movement> {
    return this.page('GET', '/inventory/{petId}/movements', { path: [petId], query, options });
  }

  /**
   * List movements. Returns the ledger: every change of stock, in order. A page may have fewer movements
   * than `limit`, or none, and not be the last page.
   *
   * Scope: `movements:read`.
   */
  listMovements(query?: ListMovementsQuery, options?: RequestOptions): PagePromise<Movement> {
    return this.page('GET', '/movements', { query, options });
  }

  /**
   * Get a movement. Returns one movement. A movement never changes.
   *
   * Scope: `movements:read`.
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
   * Scope: `movements:revert`.
   */
  revertMovement(sequence: number, body?: MovementRevert, options?: ConditionalWriteOptions): ApiPromise<Movement> {
    return this.call('POST', '/movements/{sequence}/revert', { path: [sequence], body, options, isKeyed: true });
  }

  /**
   * Follow movements live. Sends every movement as a server-sent event as soon as it is committed by any
   * instance: in the order of sequences, without a gap or a repetition.
   *
   * Scope: `movements:read`.
   */
  abstract streamMovements(query?: StreamMovementsQuery, options?: StreamOptions): AsyncIterableIterator<Movement>;

  /**
   * Audit the ledger. Recomputes the hashes of all movements and prunes, and the balance of every pet.
   * Returns the first wrong movement.
   *
   * Scope: `ledger:audit`.
   */
  auditLedger(options?: RequestOptions): ApiPromise<LedgerAudit> {
    return this.call('GET', '/ledger/audit', { options });
  }

  /**
   * List orders. Returns orders, the newest first. The parameters filter them, and all must match. A
   * page may have fewer orders than `limit`, or none, and not be the last page.
   *
   * Scope: `orders:read`.
   */
  listOrders(query?: ListOrdersQuery, options?: RequestOptions): PagePromise<Order> {
    return this.page('GET', '/store/orders', { query, options });
  }

  /**
   * Place an order. Reserves the units of all lines, or of none. Reserved units stay in the stock, but
   * are not available to other orders. The order expires at `expiresAt`, and releases its units, unless
   * it is approved before.
   *
   * Scope: `orders:place`.
   */
  placeOrder(body: OrderPlacement, options?: WriteOptions): ApiPromise<Order> {
    return this.call('POST', '/store/orders', { body, options, isKeyed: true });
  }

  /**
   * Get an order. Returns one order with its lines.
   *
   * Scope: `orders:read`.
   */
  getOrder(orderId: number, options?: ConditionalOptions): ApiPromise<Order> {
    return this.call('GET', '/store/orders/{orderId}', { path: [orderId], options });
  }

  /**
   * Approve an order. Accepts a placed order before it expires. From then on it never expires, and its
   * units stay reserved until they are delivered or the order is cancelled. An approval moves no stock,
   * so there is no movement that could record an explanation, and no body.
   *
   * Scope: `orders:approve`.
   */
  approveOrder(orderId: number, options?: ConditionalWriteOptions): ApiPromise<Order> {
    return this.call('POST', '/store/orders/{orderId}/approve', { path: [orderId], options, isKeyed: true });
  }

  /**
   * Deliver an order. Takes units of an approved order from the stock, and their reservation with them:
   * all that are left, or those of `lines`. When all units are delivered, so is the order.
   *
   * Scope: `orders:deliver`.
   */
  deliverOrder(orderId: number, body?: OrderPart, options?: ConditionalWriteOptions): ApiPromise<Order> {
    return this.call('POST', '/store/orders/{orderId}/deliver', { path: [orderId], body, options, isKeyed: true });
  }

  /**
   * Cancel an order. Releases the reserved units of a placed or approved order. Units that were
   * delivered before stay delivered, and can still be returned.
   *
   * Scope: `orders:cancel`.
   */
  cancelOrder(orderId: number, body?: OrderExplanation, options?: ConditionalWriteOptions): ApiPromise<Order> {
    return this.call('POST', '/store/orders/{orderId}/cancel', { path: [orderId], body, options, isKeyed: true });
  }

  /**
   * Return units of an order. Puts delivered units back into the stock: all that are left, or those of
   * `lines`. The status of the order stays.
   *
   * Scope: `orders:return`.
   */
  returnOrder(orderId: number, body?: OrderPart, options?: ConditionalWriteOptions): ApiPromise<Order> {
    return this.call('POST', '/store/orders/{orderId}/return', { path: [orderId], body, options, isKeyed: true });
  }

  /**
   * List webhook endpoints. Returns all endpoints of the account, ascending by id.
   *
   * Scope: `webhooks:manage`.
   */
  listWebhookEndpoints(options?: RequestOptions): ApiPromise<readonly WebhookEndpoint[]> {
    return this.call('GET', '/webhook-endpoints', { options });
  }

  /**
   * Make a webhook endpoint. Sends all events from now on to a URL, in order and at least once. The
   * response has the secret that signs them; it is not shown again. A request that is sent twice makes
   * two endpoints.
   *
   * Scope: `webhooks:manage`.
   */
  createWebhookEndpoint(body: WebhookEndpointRequest, options?: RequestOptions): ApiPromise<WebhookEndpointWithSecret> {
    return this.call('POST', '/webhook-endpoints', { body, options });
  }

  /**
   * Get a webhook endpoint. Returns an endpoint and the state of its deliveries, without its secret.
   *
   * Scope: `webhooks:manage`.
   */
  getWebhookEndpoint(endpointId: string, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.call('GET', '/webhook-endpoints/{endpointId}', { path: [endpointId], options });
  }

  /**
   * Change a webhook endpoint. Sets the given members. A filter applies to the events that are not
   * delivered yet, also to those before the change. After a change of the URL the next attempt does not
   * wait. Attempts that begin within 5 seconds of the change may still be as before it.
   *
   * Scope: `webhooks:manage`.
   */
  updateWebhookEndpoint(endpointId: string, body: WebhookEndpointChanges, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.call('PATCH', '/webhook-endpoints/{endpointId}', { path: [endpointId], body, options });
  }

  /**
   * Delete a webhook endpoint. Ends its deliveries within 5 seconds, and deletes its secret and its log.
   *
   * Scope: `webhooks:manage`.
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
   * Scope: `webhooks:manage`.
   */
  rotateWebhookSecret(endpointId: string, body?: WebhookSecretRotation, options?: RequestOptions): ApiPromise<WebhookEndpointWithSecret> {
    return this.call('POST', '/webhook-endpoints/{endpointId}/rotate', { path: [endpointId], body, options });
  }

  /**
   * Pause a webhook endpoint. Sends nothing, from 5 seconds later at the latest, until it is resumed.
   * Its place among the events is kept. Pausing it again changes nothing.
   *
   * Scope: `webhooks:manage`.
   */
  pauseWebhookEndpoint(endpointId: string, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.call('POST', '/webhook-endpoints/{endpointId}/pause', { path: [endpointId], options });
  }

  /**
   * Resume a webhook endpoint. Continues after the last event that was delivered. An endpoint that fails
   * gets its next attempt within 5 seconds, and its failures are counted from the start. Resuming one
   * that is neither paused nor failing changes nothing.
   *
   * Scope: `webhooks:manage`.
   */
  resumeWebhookEndpoint(endpointId: string, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.call('POST', '/webhook-endpoints/{endpointId}/resume', { path: [endpointId], options });
  }

  /**
   * Send a test message. Sends a `webhook.test` immediately, also to a paused endpoint, and returns the
   * attempt. It waits for the response, for 10 seconds at most. Events are not affected. An account has
   * at most 16 tests in progress; another one is a `conflict`.
   *
   * Scope: `webhooks:manage`.
   */
  testWebhookEndpoint(endpointId: string, options?: RequestOptions): ApiPromise<WebhookAttempt> {
    return this.call('POST', '/webhook-endpoints/{endpointId}/test', { path: [endpointId], options });
  }

  /**
   * Replay events. Continues after this event, whatever was delivered: later events are delivered again
   * with the same bytes, and a later place skips those before it. A paused endpoint stays paused.
   *
   * Scope: `webhooks:manage`.
   */
  replayWebhookEvents(endpointId: string, query: ReplayWebhookEventsQuery, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.call('POST', '/webhook-endpoints/{endpointId}/replay', { path: [endpointId], query, options });
  }

  /**
   * List the deliveries of a webhook endpoint. Returns the last 100 attempts, the newest first.
   *
   * Scope: `webhooks:manage`.
   */
  listWebhookDeliveries(endpointId: string, options?: RequestOptions): ApiPromise<readonly WebhookAttempt[]> {
    return this.call('GET', '/webhook-endpoints/{endpointId}/deliveries', { path: [endpointId], options });
  }

  /**
   * List or search the catalog. Returns pets with their names, codes and stock, by petId; archived ones
   * are left out. With `q` the pets are those with all of its words, in the order of one of them. With
   * `sku` or `barcode` it is the pet that has it, or none.
   *
   * Scope: `inventory:read`.
   */
  listCatalog(query?: ListCatalogQuery, options?: ConditionalOptions): PagePromise<CatalogPet> {
    return this.page('GET', '/catalog', { query, options });
  }

  /**
   * Get a pet of the catalog. Returns a pet with its names, codes and stock, also an archived one.
   *
   * Scope: `inventory:read`.
   */
  getCatalogPet(petId: PetIdInput, options?: ConditionalOptions): ApiPromise<CatalogPet> {
    return this.call('GET', '/catalog/{petId}', { path: [petId], options });
  }

  /**
   * Get the stock by status. Returns the stock per status: the exact sum of the quantities of all pets.
   * A status without stock is 0. `reservedUnits` are those of open orders, whatever the status;
   * `availableUnits` are all others, below 0 after recounts that found fewer.
   *
   * Scope: `inventory:read`.
   */
  getStoreInventory(options?: RequestOptions): ApiPromise<StoreInventory> {
    return this.call('GET', '/store/inventory', { options, exact: /Units$|^(available|pending|sold)$/ });
  }

  /**
   * Get a pet. Returns one pet without its stock.
   *
   * Scope: `pets:read`.
   *
   * @deprecated Use `getInventoryItem`.
   */
  getPet(petId: PetIdInput, options?: RequestOptions): ApiPromise<Pet> {
    return this.call('GET', '/pets/{petId}', { path: [petId], options });
  }

  /**
   * Get the rate limit. Returns the plan of the account, both windows, and any ban of this API key.
   * Takes nothing from the quota.
   */
  getRateLimit(options?: RequestOptions): ApiPromise<RateLimit> {
    return this.call('GET', '/rate-limit', { options });
  }
}
