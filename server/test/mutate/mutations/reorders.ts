import type { Mutation } from '../mutation.ts';

const DOMAIN = 'server/src/domain/management/reorders.ts';
const STORE = 'server/src/store/reorders/reorder-store.ts';
const SQL = 'server/src/store/reorders/reorder-sql.ts';
const HTTP = 'server/src/http/admin/reorders.ts';
const REORDERS = ['server/test/reorders/reorders.test.ts'];

/** The reorder list: its numbers, its order, and what settles an order. */
export const REORDER_MUTATIONS: readonly Mutation[] = [
  {
    name: 'units on their way are suggested again',
    file: DOMAIN,
    from: 'row.enough - availableOf(row) - outstandingOf(row)',
    to: 'row.enough - availableOf(row)',
    tests: REORDERS,
  },
  {
    name: 'reserved units are not suggested',
    file: DOMAIN,
    from: 'row.enough - availableOf(row)',
    to: 'row.enough - row.quantity',
    tests: REORDERS,
  },
  {
    name: 'a pet that is low at 0 has enough at 0',
    file: DOMAIN,
    from: 'return lowStockAt === null ? 1 :',
    to: 'return lowStockAt === null ? 0 :',
    tests: REORDERS,
  },
  {
    name: 'thresholds of the shop win over those of the pet',
    file: STORE,
    from: 'enoughOf(thresholdsOf(pet, shop))',
    to: 'enoughOf(thresholdsOf(shop, pet))',
    tests: REORDERS,
  },
  {
    name: 'archived pets are in the list',
    file: DOMAIN,
    from: 'own === null || row.archivedAtMs !== null ||',
    to: 'own === null ||',
    tests: REORDERS,
  },
  {
    name: 'pets without a sale come first',
    file: DOMAIN,
    from: 'place.daysOfStock ?? Number.MAX_VALUE',
    to: 'place.daysOfStock ?? -1',
    tests: REORDERS,
  },
  {
    name: 'the least urgent level comes first',
    file: DOMAIN,
    from: 'ALERT_LEVELS.toReversed().indexOf(alertLevel)',
    to: 'ALERT_LEVELS.indexOf(alertLevel)',
    tests: REORDERS,
  },
  {
    name: 'a page begins with the last pet of the page before',
    file: DOMAIN,
    from: 'comparePlaces(place, after) > 0',
    to: 'comparePlaces(place, after) >= 0',
    tests: REORDERS,
  },
  {
    name: 'the cursor of a page rounds days',
    file: HTTP,
    from: `\${daysOfStock ?? ''}`,
    to: `\${daysOfStock === null ? '' : Math.round(daysOfStock)}`,
    tests: REORDERS,
  },
  {
    name: 'receipts with any reason settle an order',
    file: SQL,
    from: `WHERE reason = 'received' AND kind`,
    to: 'WHERE kind',
    tests: REORDERS,
  },
  {
    name: 'an undone receipt counts',
    file: SQL,
    from: 'FROM chain WHERE sequence IS NOT NULL\n)',
    to: 'FROM chain WHERE sequence IS NULL\n)',
    tests: REORDERS,
  },
  {
    name: 'receipts before the order count',
    file: STORE,
    from: '[0, await readHead(this.#engine), expectedOn, author.actor, atMs]',
    to: '[0, 0, expectedOn, author.actor, atMs]',
    tests: REORDERS,
  },
  {
    name: 'a correction of an order begins a new one',
    file: STORE,
    from: '      const units =\n        open && stored',
    to: '      const units =\n        !open && stored',
    tests: REORDERS,
  },
  {
    name: 'an order that arrived is shown',
    file: STORE,
    from: 'ordered !== null && units < ordered',
    to: 'ordered !== null && units <= ordered',
    tests: REORDERS,
  },
  {
    name: 'a day for nothing is accepted',
    file: STORE,
    from: 'if (ordered === null && change.expectedOn) throw nothingOrdered();',
    to: '',
    tests: REORDERS,
  },
  {
    name: 'a prune forgets what has arrived',
    file: 'server/src/store/admin/prune.ts',
    from: '  await keepReceived(engine, plan.start.sequence);\n',
    to: '',
    tests: REORDERS,
  },
  {
    name: 'a prune counts what it retains twice',
    file: STORE,
    from: 'const received = await readReceived(client, rows, start);',
    to: 'const received = await readReceived(client, rows);',
    tests: REORDERS,
  },
  {
    name: 'a deleted pet leaves its order',
    file: 'server/src/store/pets/write-pet.ts',
    from: '  await client.run(WRITE_PETS.deleteReorder, [petId]);\n',
    to: '',
    tests: REORDERS,
  },
  {
    name: 'sums of receipts overflow',
    file: SQL,
    from: 'CAST(quantity_after - quantity_before AS double precision)',
    to: 'quantity_after - quantity_before',
    tests: REORDERS,
  },
  {
    name: 'a supplier keeps its spaces',
    file: DOMAIN,
    from: `const trimmed = text?.trim() ?? '';`,
    to: `const trimmed = text ?? '';`,
    tests: REORDERS,
  },
  {
    name: 'a change without a change is recorded',
    file: STORE,
    from: 'if (Object.keys(details).length === 0) return this.#find(petId);',
    to: '',
    tests: REORDERS,
  },
  {
    name: 'a wrong day is stored',
    file: DOMAIN,
    from: 'return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text);',
    to: 'return !Number.isNaN(atMs);',
    tests: REORDERS,
  },
];
