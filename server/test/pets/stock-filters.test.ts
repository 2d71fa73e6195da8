import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { buildProgram as buildClient } from '../../../client/cli/program.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { PetQuery } from '../../src/domain/management/pets.ts';
import { LIST_PARAMETERS } from '../../src/http/inventory/list-query.ts';
import { newAdminStore, newCliShop, petRow } from '../support/command-line.ts';
import { allPets } from './indexed-pets.ts';

const SMALLEST = -(2n ** 63n);

test('pets list has the filters of the API, under both names', async (t) => {
  const { store, cli } = await newCliShop(t);
  await store.importPets(
    [petRow(SMALLEST, { quantity: 0 }), ...[1, 2, 3, 4].map((id) => petRow(id, { quantity: id * 10 }))],
    'cli',
  );
  const placed = {
    kind: 'place',
    lines: [{ petId: 3n, quantity: 28 }],
    expiresAtMs: null,
    explanation: UNEXPLAINED,
  } as const;
  assert.equal((await store.write(placed, CLI_AUTHOR)).code, 'done');
  const listed = async (words: string) =>
    (await cli('pets', ...words.split(' '), '--json')).stdout.match(/(?<="petId":)-?\d+/g) ?? [];
  const soon = new Date((await store.now()) + 3_600_000).toISOString();
  for (const [words, expected] of [
    ['list --min-quantity 20 --max-quantity 30', ['2', '3']],
    ['list --quantity-gte 20 --quantity-lte 30', ['2', '3']],
    ['list --max-quantity 0', [`${SMALLEST}`]],
    ['list --max-available 2', [`${SMALLEST}`, '3']],
    ['list --available-lte -1', []],
    ['list --pet 4,1 --pet -9223372036854775808 --pet 77', [`${SMALLEST}`, '1', '4']],
    ['list --pet-id 4,1 --after 1', ['4']],
    ['list --since 1h --min-quantity 40', ['4']],
    ['search 3 --max-quantity 29', []],
    ['search 3 --quantity-lte 30', ['3']],
  ] as const) {
    assert.deepEqual(await listed(words), expected, words);
  }
  assert.match((await cli('pets', 'list', '--updated-since', soon)).stderr, /is in the future/);
  for (const wrong of [
    ['--max-quantity', '1.5'],
    ['--max-available', '9007199254740992'],
    ['--pet', '1,x'],
    ['--pet', Array.from({ length: 1_001 }, (_, i) => i).join()],
  ]) {
    assert.equal((await cli('pets', 'list', ...wrong)).code, 2, wrong.join(' '));
  }
});

test('a filter by stock reads all pages, and named pets alone are read by their keys', async (t) => {
  const { store } = await newAdminStore(t);
  const rows = Array.from({ length: 1_300 }, (_, i) => petRow(i, { quantity: i, category: 'Cats' }));
  await store.importPets(rows, 'cli');
  const list = (query: Omit<PetQuery, 'archived' | 'limit'>, limit = 7) =>
    allPets(store.pets, { archived: 'exclude', limit, ...query });
  assert.deepEqual(await list({ quantityGte: 1_298 }), [1_298n, 1_299n]);
  assert.deepEqual(await list({ availableLte: 1 }), [0n, 1n]);
  assert.deepEqual(await list({ quantityLte: 1, query: 'cat' }), [0n, 1n]);
  assert.deepEqual(await list({ updatedSinceMs: (await store.now()) + 1_000 }), []);
  assert.equal((await list({ updatedSinceMs: (await store.now()) - 600_000 }, 500)).length, 1_300);
  const petIds = [5n, 900n, 1_299n, 5_000n];
  assert.deepEqual(await list({ petIds }, 1), [5n, 900n, 1_299n]);
  assert.deepEqual(await list({ petIds, query: 'cat', quantityLte: 900 }), [5n, 900n]);
  const page = await store.pets.list({ archived: 'exclude', limit: 10, petIds });
  assert.equal(page.next, undefined, 'one page, however far apart they are');
});

test('both command lines list the stock by the same options, with the names of the query parameters', () => {
  const ofClient = optionsOf(clientProgram(), 'list');
  const ofServer = optionsOf(buildProgram(), 'pets', 'list');
  const shared = ofClient.filter(([name]) => ofServer.some(([other]) => other === name));
  assert.deepEqual(shared.map(([name]) => name).toSorted(), [
    'alert',
    'all',
    'availableLte',
    'json',
    'limit',
    'petId',
    'quantityGte',
    'quantityLte',
    'status',
    'updatedSince',
  ]);
  for (const [name, flags] of shared) {
    assert.deepEqual(
      [name, flags],
      ofServer.find(([other]) => other === name),
    );
  }
  const PAGES_AND_MOMENTS = ['limit', 'cursor', 'asOf', 'atSequence'];
  for (const name of Object.keys(LIST_PARAMETERS).filter((one) => !PAGES_AND_MOMENTS.includes(one))) {
    assert.ok(
      shared.some(([own]) => own === name),
      name,
    );
  }
});

/** Names and flags of the options of a command. */
function optionsOf(program: Command, ...path: readonly string[]): (readonly [string, string])[] {
  let command: Command | undefined = program;
  for (const word of path) command = command?.commands.find((one) => one.name() === word);
  assert.ok(command, path.join(' '));
  return command.options.map((option) => [option.attributeName(), option.flags]);
}

test('the flags of --pet say whether it takes several pets', () => {
  const found = [clientProgram(), buildProgram()].flatMap(commandsBelow).flatMap((command) =>
    command.options
      .filter(({ flags }) => flags.startsWith('--pet ') || flags.startsWith('--pet,'))
      .map(({ flags, parseArg }) => {
        assert.ok(parseArg, flags);
        let isList = false;
        try {
          // One pet may have a code with a comma.
          isList = Array.isArray(parseArg('1,2', undefined));
        } catch {
          // Not a list either.
        }
        return [`${command.parent?.name()} ${command.name()}`, flags.endsWith('<pet-ids>'), isList] as const;
      }),
  );
  assert.ok(found.length >= 7, found.join('; '));
  for (const [name, saysList, isList] of found) assert.equal(saysList, isList, name);
});

function clientProgram(): Command {
  const { stdout, stderr } = process;
  return buildClient({ stdout, stderr, env: {} } as unknown as Parameters<typeof buildClient>[0]);
}

function commandsBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsBelow)];
}
