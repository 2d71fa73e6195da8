import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AdminStore } from '../../domain/admin-store.ts';
import { PET_STATUSES } from '../../domain/inventory.ts';
import { ALERT_LEVELS, type AlertLevel } from '../../domain/ledger/alerts.ts';
import {
  ARCHIVED_FILTERS,
  type ManagedPet,
  type PetPosition,
  type PetQuery,
} from '../../domain/management/pets.ts';
import { addCommand } from '../command.ts';
import { type LimitOptions, mostOf, withLimit } from '../list-limit.ts';
import { parsePetIdArgument } from '../parse-pet-id.ts';
import { type Output, runCommand } from '../terminal/output.ts';
import { withDatabase } from '../with-database.ts';
import { describePets } from './format-pets.ts';

const PAGE = 500;

interface ListOptions extends Pick<PetQuery, 'archived' | 'status' | 'category'>, LimitOptions {
  readonly alert?: readonly AlertLevel[];
  readonly after?: bigint;
}

/** Adds the commands that list and search pets. */
export function addList(pets: Command): void {
  withListOptions(
    addCommand(pets, 'list', {
      summary: 'list pets by petId',
      example: 'pets list --category Dogs --alert low,out',
    }),
  )
    .option('--after <pet-id>', 'only pets with a greater petId', parsePetIdArgument)
    .action((options: ListOptions, command: Command) => {
      const { after } = options;
      return showPets(command, options, after === undefined ? {} : { after: { petId: after } });
    });
  withListOptions(
    addCommand(pets, 'search', {
      summary: 'find pets by words of their name and category',
      notes:
        'Each word may be the beginning of a word of the pet. A number also finds the pet with this petId.',
      example: 'pets search golden retr',
    }),
  )
    .argument('<words...>', 'the words, all of which the pet must have')
    .action((words: readonly string[], options: ListOptions, command: Command) =>
      showPets(command, options, { query: words.join(' ') }),
    );
}

/** Adds which pets a command includes. */
export function withArchived(command: Command): Command {
  return command.addOption(
    new Option('--archived <which>', 'whether archived pets are included')
      .choices(ARCHIVED_FILTERS)
      .default('exclude'),
  );
}

function withListOptions(command: Command): Command {
  return withLimit(withArchived(command), 'pets')
    .addOption(new Option('--status <status>', 'only pets of this status').choices(PET_STATUSES))
    .option(
      '--alert <levels>',
      `only pets of these alert levels: ${ALERT_LEVELS.join(',')}`,
      parseAlertLevels,
    )
    .addOption(
      new Option('--category <category>', 'only pets of exactly this category, by its words').conflicts(
        'after',
      ),
    );
}

function parseAlertLevels(text: string): readonly AlertLevel[] {
  const wanted = text.split(',');
  const levels = ALERT_LEVELS.filter((level) => wanted.includes(level));
  if (levels.length === new Set(wanted).size) return levels;
  throw new InvalidArgumentError(`Give one or more of ${ALERT_LEVELS.join(', ')}, with commas between them.`);
}

function showPets(command: Command, options: ListOptions, start: Start): Promise<void> {
  return runCommand(command, (config) => withDatabase(config, (store) => firstPets(store, options, start)));
}

interface Start {
  readonly query?: string;
  readonly after?: PetPosition;
}

/** Pets by pages, because a page may be short or empty before the last one. */
async function firstPets(
  { pets }: AdminStore,
  { alert, archived, status, category, ...options }: ListOptions,
  { query, after: start }: Start,
): Promise<Output> {
  const limit = mostOf(options);
  const found: ManagedPet[] = [];
  let after = start;
  do {
    const page = await pets.list({
      archived,
      ...(status !== undefined && { status }),
      ...(alert && { alertLevels: alert }),
      ...(category !== undefined && { category }),
      limit: Math.min(PAGE, limit - found.length),
      ...(query !== undefined && { query }),
      ...(after && { after }),
    });
    found.push(...page.pets);
    after = page.next;
  } while (after && found.length < limit);
  return describePets(found, after !== undefined);
}
