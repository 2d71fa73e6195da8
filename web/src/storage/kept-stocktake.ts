import { browserStorage, keepChoice } from './browser-storage.ts';

/** The name of the stock-take that the person counts for, for a page without a connection. It ends with the session. */
export const KEPT_STOCKTAKE = 'petstore.stocktake';

export function keepStocktake({ id, name }: { readonly id: string; readonly name: string }): void {
  keepChoice(KEPT_STOCKTAKE, JSON.stringify([id, name]));
}

/** The name of a stock-take, if it is the one that was kept. */
export function keptStocktakeName(id: string): string | undefined {
  try {
    const [keptId, name] = JSON.parse(browserStorage.getItem(KEPT_STOCKTAKE) ?? '[]') as readonly string[];
    return keptId === id ? name : undefined;
  } catch {
    return undefined;
  }
}
