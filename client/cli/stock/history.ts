import { parseUnits } from '@petstore-inventory/shared/terminal/arguments';
import { parseLimit } from '@petstore-inventory/shared/terminal/list-limit';
import { MOVEMENT_KINDS, REASONS } from '@petstore-inventory/shared/words';
import { type Command, Option } from 'commander';
import type { ListMovementsQuery, Movement, MovementKind, Reason } from '../../src/index.ts';
import { parsePast } from '../arguments.ts';
import { addCommand, JSON_LINES } from '../command.ts';
import type { Context } from '../context.ts';
import { type Run, runCommand } from '../run.ts';
import { movementLines } from './format-movement.ts';
import { parsePet, PET, PET_NOTES, type PetArgument, petIdOf } from './pet-argument.ts';

const DEFAULT_LIMIT = 20;
const MAX_PAGE = 1_000;

interface HistoryOptions {
  readonly kind?: MovementKind;
  readonly reason?: Reason;
  readonly by?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly after?: number;
  readonly oldestFirst?: true;
  readonly limit: number;
  readonly all?: true;
}

/** Adds the movements of a pet, or of all. */
export function addHistory(program: Command, context: Context): void {
  addCommand(program, 'history', {
    summary: 'list the movements of a pet, or of all pets, newest first',
    notes: PET_NOTES,
    json: JSON_LINES,
    examples: [
      'history 42',
      'history --since 1d --reason sold --all',
      'history --after 815 --oldest-first --json',
    ],
  })
    .argument('[pet]', `${PET}; without it, all pets`, parsePet)
    .addOption(new Option('--kind <kind>', 'only movements of this kind').choices(MOVEMENT_KINDS))
    .addOption(new Option('--reason <reason>', 'only movements with this reason').choices(REASONS))
    .option(
      '--actor, --by <key-id>',
      'only movements of this API key, of the operator (cli) or of the service (service)',
    )
    .option(
      '--since <time>',
      'only movements at this UTC time or later, or in the last 90m, 7d, …',
      parsePast,
    )
    .option('--until <time>', 'only movements before this UTC time', parsePast)
    .option('--after <sequence>', 'only movements after this one', parseUnits)
    .option('--oldest-first', 'the oldest first')
    .option('--limit <n>', 'at most this many movements', parseLimit, DEFAULT_LIMIT)
    .addOption(new Option('--all', 'all movements').conflicts('limit'))
    .action((pet: PetArgument | undefined, options: HistoryOptions, command: Command) =>
      runCommand(context, command, async (run) => {
        const petId = pet && (await petIdOf(run, pet));
        const most = options.all ? Number.POSITIVE_INFINITY : options.limit;
        const isChosen = command.getOptionValueSource('limit') === 'cli';
        // One more shows whether there are more.
        const found = await run.wait('Reading movements', () => readMovements(run, petId, options, most + 1));
        if (petId !== undefined && found.length === 0) await requirePet(run, petId);
        await run.printer.part(found, { most, isChosen }, (shown) => movementLines(shown, run.printer.paint));
      }),
    );
}

/** A list of all movements with a filter is empty for a mistyped petId, and has the movements of a deleted pet. */
async function requirePet({ client, request, wait }: Run, petId: bigint): Promise<void> {
  await wait('Finding the pet', () => client.listItemMovements(petId, { limit: 1 }, request));
}

async function readMovements(
  { client, request }: Run,
  petId: bigint | undefined,
  { by, oldestFirst, kind, reason, since, until, after }: HistoryOptions,
  most: number,
): Promise<readonly Movement[]> {
  const query: ListMovementsQuery = {
    petId,
    kind,
    reason,
    since,
    until,
    after,
    actor: by,
    order: oldestFirst ? 'asc' : 'desc',
    limit: Math.min(most, MAX_PAGE),
  };
  const movements: Movement[] = [];
  for await (const movement of client.listMovements(query, request)) {
    movements.push(movement);
    if (movements.length >= most) break;
  }
  return movements;
}
