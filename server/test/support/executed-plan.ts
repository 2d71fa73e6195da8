/** A node of an executed plan of PostgreSQL, with `FORMAT JSON`. */
export interface ExecutedNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly ExecutedNode[];
}

/** How many rows of tables a plan has read, also those that it left out. */
export function rowsRead(node: ExecutedNode): number {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const below = (node.Plans ?? []).map(rowsRead);
  return below.reduce((sum, rows) => sum + rows, node['Relation Name'] === undefined ? 0 : own);
}
