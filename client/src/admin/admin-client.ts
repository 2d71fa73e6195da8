import { AdminOperations } from '../api/admin/operations.ts';
import type {
  CreateImportQuery,
  ExportMovementReportQuery,
  ExportPetsQuery,
  ExportReordersQuery,
  ExportStockReportQuery,
  ExportVarianceReportQuery,
  Import,
  Movement,
  StreamMovementsQuery,
} from '../api/admin/schemas.ts';
import { ApiPromise, type ApiResponse, PagePromise } from '../api-promise.ts';
import type { Received } from '../http/attempt.ts';
import { Caller, type CallerGate, responseOf } from '../http/caller.ts';
import { nextQuery } from '../http/pages.ts';
import type { RequestParts } from '../http/request.ts';
import { gateOf } from '../limits/gates.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type {
  ClientOptions,
  ExportedFile,
  FileOptions,
  RequestOptions,
  SentFile,
  StreamOptions,
} from '../options.ts';
import { readSettings, type Settings } from '../settings.ts';
import { followMovements } from '../stream/movement-stream.ts';
import { readFile, sendFile } from './files.ts';

/** An audit reads the whole ledger, and a file is as large as the shop. */
const LONG_TIMEOUT_MS = 600_000;

/**
 * A client of the management API. Every operation of `/admin/v1` is a method with the name of its `operationId`. Its
 * `apiKey` is a management key, `psa_live_…` or `psa_test_…`. The API is `beta`: a later release may change it.
 */
export class AdminClient extends AdminOperations {
  readonly #caller: AdminCaller;
  /** The service counts costly operations separately, and they take longer. */
  readonly #costly: AdminCaller;

  /** @throws PetstoreError for an option that cannot work. */
  constructor(options: ClientOptions) {
    super();
    const settings = readSettings({ ...options, baseUrl: managementUrl(options.baseUrl) }, 'psa_');
    this.#caller = new AdminCaller(settings, settings.baseUrl);
    const { timeoutMs = LONG_TIMEOUT_MS } = options;
    this.#costly = new AdminCaller({ ...settings, timeoutMs }, `${settings.baseUrl} costly`);
  }

  /** The limits of the key for operations that are not costly, from the newest responses. */
  get rateLimits(): RateLimits {
    return this.#caller.gate.rateLimits;
  }

  /** Export the pets as a file in the chosen format: CSV by default. A workbook is bytes, every other format a text. */
  override exportPets<F extends ExportPetsQuery['format'] = undefined>(
    query?: ExportPetsQuery & { readonly format?: F },
    options?: RequestOptions,
  ): ApiPromise<ExportedFile<F>> {
    return this.#read('/pets/export', query, options);
  }

  /** Export stock at a moment as CSV or a workbook. */
  override exportStockReport<F extends ExportStockReportQuery['format'] = undefined>(
    query?: ExportStockReportQuery & { readonly format?: F },
    options?: RequestOptions,
  ): ApiPromise<ExportedFile<F>> {
    return this.#read('/reports/stock/export', query, options);
  }

  /** Export movements per month as CSV or a workbook. */
  override exportMovementReport<F extends ExportMovementReportQuery['format'] = undefined>(
    query?: ExportMovementReportQuery & { readonly format?: F },
    options?: RequestOptions,
  ): ApiPromise<ExportedFile<F>> {
    return this.#read('/reports/movements/export', query, options);
  }

  /** Export the variance of stock-takes as CSV or a workbook. */
  override exportVarianceReport<F extends ExportVarianceReportQuery['format'] = undefined>(
    query?: ExportVarianceReportQuery & { readonly format?: F },
    options?: RequestOptions,
  ): ApiPromise<ExportedFile<F>> {
    return this.#read('/reports/variance/export', query, options);
  }

  /** Export what to order as CSV or a workbook. */
  override exportReorders<F extends ExportReordersQuery['format'] = undefined>(
    query?: ExportReordersQuery & { readonly format?: F },
    options?: RequestOptions,
  ): ApiPromise<ExportedFile<F>> {
    return this.#read('/reorders/export', query, options);
  }

  #read<T>(
    path: string,
    query: object | undefined,
    options?: RequestOptions,
    values?: readonly unknown[],
  ): ApiPromise<T> {
    return new ApiPromise(readFile(this.#costly, { path, values, query, options }).then(fileOf<T>));
  }

  /** List all pets as a text with one JSON value per line. */
  override listPetRows(options?: RequestOptions): ApiPromise<string> {
    return this.#read('/pets/rows', undefined, options);
  }

  /** Get the rows of an import with errors, as a file of the same form. */
  override listImportBadRows(importId: string, options?: RequestOptions): ApiPromise<string> {
    return this.#read('/imports/{importId}/bad-rows', undefined, options, [importId]);
  }

  /** Import pets from a file: sends it, and resolves with the import, whose plan is made next. */
  override createImport(
    file: SentFile,
    query?: CreateImportQuery,
    options?: FileOptions,
  ): ApiPromise<Import> {
    const sent = sendFile(this.#costly, file, { path: '/imports', query, options });
    return new ApiPromise(sent.then((received) => responseOf<Import>(received, {})));
  }

  /**
   * Follow movements live, from now on or after a sequence: each movement once and in order. Continues after broken
   * connections and restarts of the service, until the loop ends or the signal aborts.
   */
  override streamMovements(
    query?: StreamMovementsQuery,
    options?: StreamOptions,
  ): AsyncGenerator<Movement, void, undefined> {
    return followMovements(this.#caller, query, options);
  }

  protected override call<T>(method: string, path: string, parts: RequestParts): ApiPromise<T> {
    return new ApiPromise(this.#callerOf(parts).call<T>(method, withName(path, parts), parts));
  }

  protected override page<T>(method: string, path: string, parts: RequestParts): PagePromise<T> {
    const caller = this.#callerOf(parts);
    const next = ({ headers }: ApiResponse<readonly T[]>) => {
      const query = nextQuery(headers, caller.settings, parts);
      return query && this.page<T>(method, path, { ...parts, query });
    };
    return new PagePromise(caller.call<readonly T[]>(method, path, { ...parts, isList: true }), next);
  }

  #callerOf({ isCostly }: RequestParts): AdminCaller {
    return isCostly ? this.#costly : this.#caller;
  }
}

/** A caller that reads no limit first: no operation is free here, and a 429 bans no management key. */
class AdminCaller extends Caller {
  override readonly gate: CallerGate;

  /** @param limit Names the limit of the key that the calls take from. */
  constructor(settings: Settings, limit: string) {
    super(settings);
    const gate = gateOf({ ...settings, baseUrl: limit });
    this.gate = {
      enter: (entry) => gate.enter({ ...entry, probe: async () => {} }),
      leave: () => gate.leave(),
      observe: (...seen) => gate.observe(...seen),
      get rateLimits() {
        return gate.rateLimits;
      },
    };
  }
}

/**
 * Fills in the name of a mapping, which is no id: it may have any character. Without it or with dots alone the path would
 * be that of another operation, also where they are encoded, and half of a character cannot be sent: then the name stays
 * out, and is refused as an id.
 */
function withName(path: string, { path: [name] = [] }: RequestParts): string {
  const isName = typeof name === 'string' && /^(?!\.?\.?$)\P{Cs}+$/u.test(name);
  return isName ? path.replace('{mappingName}', encodeURIComponent(name)) : path;
}

/** The address of the service or of either interface, with the path of the management API. */
function managementUrl(baseUrl: string): string {
  return `${String(baseUrl).replace(/(?:(?:\/admin)?\/v1)?\/*$/, '')}/admin/v1`;
}

function fileOf<T>({ status, headers, text, bytes }: Received): ApiResponse<T> {
  return {
    data: (bytes ?? text) as T,
    status,
    headers,
    requestId: headers.get('X-Request-Id') ?? undefined,
    etag: headers.get('ETag') ?? undefined,
    inventorySequence: undefined,
    isReplayed: false,
  };
}
