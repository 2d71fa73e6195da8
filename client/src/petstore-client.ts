import { Operations } from './api/operations.ts';
import type { LedgerAudit, Movement, StreamMovementsQuery } from './api/schemas.ts';
import { ApiPromise, type ApiResponse, PagePromise } from './api-promise.ts';
import type { Catalog } from './catalog.ts';
import { invalidArgument } from './errors.ts';
import { Caller } from './http/caller.ts';
import { nextQuery } from './http/pages.ts';
import type { RequestParts } from './http/request.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { ClientOptions, RequestOptions, StreamOptions } from './options.ts';
import { readSettings } from './settings.ts';
import { LiveInventory } from './stream/live-inventory.ts';
import { followMovements } from './stream/movement-stream.ts';

/** An audit reads the whole ledger. */
const AUDIT_TIMEOUT_MS = 600_000;

/**
 * A client of the Pet Store Inventory service. Every operation of `/v1` is a method with the name of its `operationId`.
 * Calls wait for limits, are repeated after failures, and change nothing twice.
 */
export class PetstoreClient extends Operations {
  /** Finds pets by their codes, names and stock. */
  readonly catalog: Catalog = {
    find: async (code, options) => {
      const { sku, barcode }: { sku?: string; barcode?: string } = code;
      // Without a code the first of all pets would be found.
      if (!(sku ?? barcode)) throw invalidArgument('code must have an sku or a barcode.');
      return (await this.listCatalog(code, options))[0];
    },
    list: (query, options) => this.listCatalog(query, options),
  };
  readonly #caller: Caller;

  /** @throws PetstoreError for an option that cannot work. */
  constructor(options: ClientOptions) {
    super();
    this.#caller = new Caller(readSettings(options));
  }

  /** The limits of the account, from the newest responses. */
  get rateLimits(): RateLimits {
    return this.#caller.gate.rateLimits;
  }

  override auditLedger(options?: RequestOptions): ApiPromise<LedgerAudit> {
    return super.auditLedger({ ...options, timeoutMs: options?.timeoutMs ?? AUDIT_TIMEOUT_MS });
  }

  /**
   * Follow movements live, from now on or after a sequence: each movement once and in order. Continues after broken
   * connections and restarts of the service, until the loop ends or the signal aborts.
   *
   * Scope: `movements:read`.
   */
  override streamMovements(
    query?: StreamMovementsQuery,
    options?: StreamOptions,
  ): AsyncGenerator<Movement, void, undefined> {
    return followMovements(this.#caller, query, options);
  }

  /**
   * Loads the stock of all pets and keeps it up to date with the live stream. The copy is usable when the promise
   * resolves, and ends with `close()` or the signal.
   *
   * Scopes: `inventory:read` and `movements:read`.
   */
  watchInventory(options?: StreamOptions): Promise<LiveInventory> {
    return LiveInventory.open(this, options);
  }

  protected override call<T>(method: string, path: string, parts: RequestParts): ApiPromise<T> {
    return new ApiPromise(this.#caller.call<T>(method, path, parts));
  }

  protected override page<T>(method: string, path: string, parts: RequestParts): PagePromise<T> {
    const next = ({ headers }: ApiResponse<readonly T[]>) => {
      const query = nextQuery(headers, this.#caller.settings, parts);
      return query && this.page<T>(method, path, { ...parts, query });
    };
    return new PagePromise(this.#caller.call<readonly T[]>(method, path, { ...parts, isList: true }), next);
  }
}
