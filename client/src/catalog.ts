import type { CatalogPet, ListCatalogQuery } from './api/schemas.ts';
import type { PagePromise } from './api-promise.ts';
import type { ConditionalOptions } from './options.ts';

/** A code of a pet. A GTIN is found in each of its lengths. */
export type Code = { readonly sku: string } | { readonly barcode: string };

/** Pets by their codes, names and stock. What the client has already is asked for with its `ETag`, and costs a 304. */
export interface Catalog {
  /**
   * The pet with a code; `undefined` if there is none, or it is archived.
   *
   * Scope: `inventory:read`.
   */
  find(code: Code, options?: ConditionalOptions): Promise<CatalogPet | undefined>;
  /**
   * All pets, or those that match. `for await` reads all pages.
   *
   * Scope: `inventory:read`.
   */
  list(query?: ListCatalogQuery, options?: ConditionalOptions): PagePromise<CatalogPet>;
}
