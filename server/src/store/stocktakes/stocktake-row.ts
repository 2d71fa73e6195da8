import type { Stocktake } from '../../domain/management/stocktakes.ts';

const nameOf = (actor: string) =>
  `coalesce((SELECT api_keys.name FROM api_keys WHERE api_keys.id = ${actor}), ${actor})`;

export const COLUMNS = `id, name, scope, posting, started_by AS "startedBy", ${nameOf('started_by')} AS "startedByName",
started_at AS "startedAtMs", started_sequence AS "startedSequence", closed_by AS "closedBy",
${nameOf('closed_by')} AS "closedByName", closed_at AS "closedAtMs", closed_sequence AS "closedSequence",
posted_sequence AS "postedSequence", undone_by AS "undoneBy", ${nameOf('undone_by')} AS "undoneByName",
undone_at AS "undoneAtMs", undone_sequence AS "undoneSequence", pruned_at AS "prunedAtMs"`;

export type StocktakeRow = Omit<Stocktake, 'scope'> & { readonly scope: string };

export const toStocktake = (row: StocktakeRow): Stocktake => ({ ...row, scope: JSON.parse(row.scope) });

export function named({ name, id }: Stocktake): string {
  return `The stock-take "${name}" (${id})`;
}
