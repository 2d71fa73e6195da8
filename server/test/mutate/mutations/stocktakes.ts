import type { Mutation } from '../mutation.ts';

const STORE = 'server/src/store/admin/stocktake-store.ts';
const LINES = 'server/src/store/stocktakes/stocktake-lines.ts';
const SCOPE = 'server/src/store/stocktakes/stocktake-scope.ts';
const PRUNE = 'server/src/store/stocktakes/stocktake-prune.ts';
const HTTP = 'server/src/http/admin/stocktakes.ts';
const RULES = ['server/test/stocktakes/stocktakes.test.ts'];
const PRUNES = ['server/test/stocktakes/stocktake-prune.test.ts'];
const OPERATIONS = ['server/test/stocktakes/stocktake-operations.test.ts'];

/** Stock-takes: what their counts, their report, their close and their undo must keep. */
export const STOCKTAKES: readonly Mutation[] = [
  {
    name: 'a recount takes the correction of the count before for a variance',
    file: LINES,
    from: 'BigInt(last.before) - sum(changes.filter(({ sequence }) => sequence < last.sequence));',
    to: 'BigInt(last.before);',
    tests: RULES,
  },
  {
    name: 'a close posts the difference of rounded sums',
    file: LINES,
    from: 'unposted: Number(BigInt(counted) - expected - posted),',
    to: 'unposted: counted - limited(expected, counted - MAX_QUANTITY) - limited(posted, counted - MAX_QUANTITY),',
    tests: RULES,
  },
  {
    name: 'what a stock-take took ends at another limit than its variance',
    file: LINES,
    from: 'posted: limited(posted, counted - MAX_QUANTITY),',
    to: 'posted: limited(posted, -MAX_QUANTITY),',
    tests: ['server/test/stocktakes/stocktake-prune.test.ts'],
  },
  {
    name: 'the first count of a pet holds in place of the last one',
    file: LINES,
    from: 'const last = counts.at(-1);',
    to: 'const last = counts.at(0);',
    tests: RULES,
  },
  {
    name: 'an adjustment of a client that names a stock-take is a part of it',
    file: LINES,
    from: "return kind === 'set';",
    to: 'return true;',
    tests: RULES,
  },
  {
    name: 'a set after the close counts',
    file: LINES,
    from: "return kind === 'adjust' && sequence <= (postedSequence ?? closedSequence);",
    to: 'return true;',
    tests: RULES,
  },
  {
    name: 'a count that was undone still holds',
    file: LINES,
    from: 'const isHeld = (chain: readonly number[]) => chain.length % 2 === 1;',
    to: 'const isHeld = (_chain: readonly number[]) => true;',
    tests: RULES,
  },
  {
    name: 'a revert of a revert of a count is left out',
    file: LINES,
    from: 'FROM chain WHERE chain.sequence IS NOT NULL\n)',
    to: 'FROM chain WHERE false\n)',
    tests: RULES,
  },
  {
    name: 'the undo of a whole stock-take empties its report',
    file: LINES,
    from: 'isHeld(chain.filter((sequence) => sequence <= end))',
    to: 'isHeld(chain)',
    tests: RULES,
  },
  {
    name: 'the rest of a pet with many counts is another line',
    file: LINES,
    from: 'const whole = rows.slice(0, end + 1);',
    to: 'const whole = rows;',
    tests: RULES,
  },
  {
    name: 'a closed stock-take takes counts',
    file: STORE,
    from: 'if (!isReplayed) requireRunning(stocktake);',
    to: '',
    tests: [...RULES, ...OPERATIONS],
  },
  {
    name: 'a count that waits for the close changes the stock',
    file: STORE,
    from: 'const quantity = waits ? before.quantity : counted;',
    to: 'const quantity = counted;',
    tests: RULES,
  },
  {
    name: 'a count without a difference is recorded nowhere',
    file: STORE,
    from: "    reason: 'cycle_count',",
    to: '    reason: null,',
    tests: RULES,
  },
  {
    name: 'a close posts what a count has posted already',
    file: STORE,
    from: 'delta: line.unposted,',
    to: 'delta: varianceOf(line),',
    tests: RULES,
  },
  {
    name: 'a close leaves out the pets that it cannot correct',
    file: STORE,
    from: "if (result.kind !== 'batch' || result.code === 'done') return;",
    to: 'return;',
    tests: RULES,
  },
  {
    name: 'an undo leaves out the pets that it cannot take back',
    file: STORE,
    from: "if (result.code === 'done') continue;",
    to: 'continue;',
    tests: RULES,
  },
  {
    name: 'a second undo writes another author',
    file: STORE,
    from: "if (state === 'undone') return stocktake;",
    to: '',
    tests: RULES,
  },
  {
    name: 'a pruned stock-take is undone without its movements',
    file: STORE,
    from: 'if (stocktake.prunedAtMs !== null) {',
    to: 'if (false) {',
    tests: PRUNES,
  },
  {
    name: 'an archived pet must be counted',
    file: SCOPE,
    from: 'pet.archivedAtMs === null &&',
    to: '',
    tests: RULES,
  },
  {
    name: 'a pet that was added after the close must be counted',
    file: SCOPE,
    from: '(closedAtMs === null || pet.createdAtMs <= closedAtMs) &&',
    to: '',
    tests: RULES,
  },
  {
    name: 'a prune cuts a running stock-take',
    file: 'server/src/store/admin/prune.ts',
    from: 'await refuseRunning(engine, plan.start.sequence);',
    to: '',
    tests: PRUNES,
  },
  {
    name: 'a prune loses the report of a closed stock-take',
    file: 'server/src/store/admin/prune.ts',
    from: 'await keepReports(engine, plan.start.sequence);',
    to: '',
    tests: PRUNES,
  },
  {
    name: 'a dry run of a prune does not say that a stock-take runs',
    file: 'server/src/store/admin/admin-store.ts',
    from: 'await refuseRunning(this.#engine, result.start.sequence);',
    to: '',
    tests: PRUNES,
  },
  {
    name: 'a second prune writes the report again',
    file: PRUNE,
    from: 'AND pruned_at IS NULL AND started_sequence',
    to: 'AND started_sequence',
    tests: PRUNES,
  },
  {
    name: 'verify accepts a count of no stock-take',
    file: 'server/src/store/stocktakes/stocktake-faults.ts',
    from: "stocktakes.id IS NULL OR kind <> 'set' OR quantity_before <> quantity_after",
    to: 'false',
    tests: PRUNES,
  },
  {
    name: 'a member of the staff closes a stock-take',
    file: HTTP,
    from: "  access: { role: 'administrator' },\n  isCostly: true,\n  ...ONE,\n  output: one(STOCKTAKE, { description: 'The closed stock-take.' }),",
    to: "  access: { role: 'staff' },\n  isCostly: true,\n  ...ONE,\n  output: one(STOCKTAKE, { description: 'The closed stock-take.' }),",
    tests: OPERATIONS,
  },
  {
    name: 'the list of closed stock-takes has those that were undone',
    file: STORE,
    from: "closed: 'closed_at IS NOT NULL AND undone_at IS NULL',",
    to: "closed: 'closed_at IS NOT NULL',",
    tests: OPERATIONS,
  },
  {
    name: 'a member of the staff starts a stock-take',
    file: HTTP,
    from: "  access: { role: 'administrator' },\n  body: body(NewStocktakeSchema),",
    to: "  access: { role: 'staff' },\n  body: body(NewStocktakeSchema),",
    tests: OPERATIONS,
  },
  {
    name: 'missing units of one pet are set off against those found of another',
    file: STORE,
    from: 'shortage += Math.max(-variance, 0);',
    to: 'shortage -= variance;',
    tests: RULES,
  },
];
