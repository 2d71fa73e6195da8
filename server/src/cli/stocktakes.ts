import { spreadsheetField } from '@petstore-inventory/shared/pet-file/csv-records';
import { once } from 'node:events';
import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import { type LimitOptions, moreOf, mostOf, withLimit } from '@petstore-inventory/shared/terminal/list-limit';
import { safeJson } from '@petstore-inventory/shared/terminal/safe-text';
import { thousands } from '@petstore-inventory/shared/terminal/texts';
import { STOCKTAKE_STATES, type StocktakeState } from '@petstore-inventory/shared/words';
import { type Command, Option } from 'commander';
import { readConfig } from '../config.ts';
import { bigintAsDigits } from '../domain/bigint-json.ts';
import {
  type NamedLine,
  type Stocktake,
  type StocktakeScope,
  type StocktakeStore,
  stateOf,
} from '../domain/management/stocktakes.ts';
import { stocktakeLineMembers, stocktakeMembers } from '../wire/stocktake-json.ts';
import { addCommand } from './command.ts';
import { type Output, paint, shownTable } from './output.ts';
import { shownTime } from './parse-time.ts';
import { databaseCommand, withDatabase } from './with-database.ts';

/** Lines per read. */
const PAGE = 1_000;

/** Adds the commands that show stock-takes. */
export function addStocktakes(program: Command): void {
  const stocktakes = addGroup(program, 'stocktakes', 'stock-takes and their reports');
  addList(stocktakes);
  addShow(stocktakes);
  addReport(stocktakes);
}

function addList(stocktakes: Command): void {
  withLimit(
    addCommand(stocktakes, 'list', {
      summary: 'list stock-takes, newest first',
      example: 'stocktakes list --state running',
    }).addOption(new Option('--state <state>', 'only those in this state').choices(STOCKTAKE_STATES)),
    'stock-takes',
  ).action(
    databaseCommand(async ({ store }, options: LimitOptions & { readonly state?: StocktakeState }) => {
      const limit = mostOf(options);
      const found = await store.stocktakes.list({ limit: limit + 1, state: options.state });
      return described(found.slice(0, limit), found.length > limit);
    }),
  );
}

function described(found: readonly Stocktake[], hasMore: boolean): Output {
  const rows = found.map((stocktake) => [
    stocktake.id,
    stocktake.name,
    paint.state(stateOf(stocktake)),
    scopeText(stocktake.scope),
    shownTime(stocktake.startedAtMs),
    stocktake.startedByName,
    stocktake.closedAtMs === null ? '' : shownTime(stocktake.closedAtMs),
  ]);
  const headings = ['ID', 'NAME', 'STATE', 'SCOPE', 'STARTED', 'BY', 'ENDED'];
  const text = rows.length === 0 ? 'There are no such stock-takes.' : shownTable(headings, rows);
  return { value: found.map(stocktakeMembers), text, ...moreOf(hasMore, 'stock-takes') };
}

/** The scope of a stock-take, such as `category Dogs, alert low or out`. */
function scopeText({ query, category, status, alertLevels }: StocktakeScope): string {
  const parts = [
    ...(query === undefined ? [] : [`"${query}"`]),
    ...(category === undefined ? [] : [`category ${category}`]),
    ...(status === undefined ? [] : [status]),
    ...(alertLevels === undefined ? [] : [`alert ${alertLevels.join(' or ')}`]),
  ];
  return parts.length === 0 ? 'all pets' : parts.join(', ');
}

function addShow(stocktakes: Command): void {
  addCommand(stocktakes, 'show', {
    summary: 'show a stock-take with its totals',
    example: 'stocktakes show stk_4fQ2n8Zk1bXw0aLr',
  })
    .argument('<stocktake-id>', 'its id, as stocktakes list shows it')
    .action(
      databaseCommand(async ({ store: { stocktakes: found } }, id: string) => {
        const stocktake = await found.find(id);
        const totals = await found.totals(id);
        const rows = [
          ['Counted', thousands(totals.counted)],
          ['Not counted', thousands(totals.uncounted)],
          ['With a difference', thousands(totals.differences)],
          ['Units more', thousands(totals.surplus)],
          ['Units fewer', thousands(totals.shortage)],
          ['Not posted', thousands(totals.unposted)],
        ];
        return {
          value: { ...stocktakeMembers(stocktake), totals },
          text: `${described([stocktake], false).text}\n\n${shownTable(['PETS', 'NUMBER'], rows)}`,
        };
      }),
    );
}

interface ReportOptions {
  readonly differences?: true;
}

const COLUMNS = [
  'petId',
  'name',
  'category',
  'expected',
  'counted',
  'variance',
  'posted',
  'counts',
  'countedBy',
  'countedAt',
  'sequence',
] as const;

function addReport(stocktakes: Command): void {
  addCommand(stocktakes, 'report', {
    summary: 'write what was expected and counted of each counted pet, as CSV',
    notes:
      'expected is the stock just before the count. posted is what the stock-take has changed in the stock.\n' +
      'A name or category that a spreadsheet would run as a formula begins with an apostrophe.',
    example: 'stocktakes report stk_4fQ2n8Zk1bXw0aLr --differences',
    json: 'write a JSON array, and errors as {"error": "…", "errors": […]}',
  })
    .argument('<stocktake-id>', 'its id, as stocktakes list shows it')
    .option('--differences', 'only pets with a difference')
    .action((id: string, options: ReportOptions, command: Command) =>
      withDatabase(readConfig(process.env), (store) =>
        writeReport(store.stocktakes, id, options, command.opts().json === true),
      ),
    );
}

/** Writes the lines as they are read. */
async function writeReport(
  stocktakes: StocktakeStore,
  id: string,
  { differences }: ReportOptions,
  isJson: boolean,
): Promise<void> {
  let page = await stocktakes.lines(id, { limit: PAGE, differs: differences });
  await write(isJson ? '[' : `${COLUMNS.join()}\r\n`);
  let isFirst = true;
  for (;;) {
    const rows = page.lines.map((line) =>
      isJson ? safeJson(JSON.stringify(stocktakeLineMembers(line), bigintAsDigits)) : csvRow(line),
    );
    if (rows.length > 0) {
      await write(isJson ? `${isFirst ? '\n' : ',\n'}${rows.join(',\n')}` : rows.join(''));
      isFirst = false;
    }
    if (page.next === undefined) break;
    page = await stocktakes.lines(id, { limit: PAGE, differs: differences, after: page.next });
  }
  if (isJson) await write('\n]\n');
}

function csvRow(line: NamedLine): string {
  const members = { ...stocktakeLineMembers(line), countedBy: line.actorName };
  return `${COLUMNS.map((column) => spreadsheetField(members[column])).join()}\r\n`;
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
