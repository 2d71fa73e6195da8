import { parseNumber, parsePetIds, parseUnits } from '@petstore-inventory/shared/terminal/arguments';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import type { Command } from 'commander';
import type { PetstoreError } from '../../src/index.ts';
import { addCommand, JSON_LINES } from '../command.ts';
import type { Context } from '../context.ts';
import { type Run, runCommand } from '../run.ts';
import { jsonOf } from '../terminal/printer.ts';
import { movementLine } from './format-movement.ts';

/** The most pets of one request. */
const MAX_LISTED = 1_000;

interface WatchOptions {
  readonly pet?: readonly bigint[];
  readonly after?: number;
  readonly count?: number;
}

/** Adds the live stream of movements. */
export function addWatch(program: Command, context: Context): void {
  addCommand(program, 'watch', {
    summary: 'print every change of stock as it happens, until Ctrl-C',
    notes:
      'The connection is made again when it breaks, and continues where it ended: without a gap or a repetition. ' +
      'With --after it begins in the past, for example with the newest movement that you have processed.',
    json: JSON_LINES,
    examples: ['watch', 'watch --pet 7,42', 'watch --after 815 --json'],
  })
    .option('--pet <pet-ids>', 'only these pets, with commas between them', parsePetIds)
    .option('--after <sequence>', 'begin after this movement; 0 is the first', parseUnits)
    .option('--count <n>', 'end after this many movements', parseNumber)
    .action((options: WatchOptions, command: Command) =>
      runCommand(context, command, async (run) => {
        const { client, printer, request } = run;
        const pets = options.pet && new Set(options.pet);
        if (pets) await noteMissing(run, [...pets]);
        const { stderr } = context;
        const onDisconnect = ({ message }: PetstoreError) => {
          if (stderr.isTTY) stderr.write(`The connection broke (${safe(message)}); connecting again …\n`);
        };
        let left = options.count ?? Number.POSITIVE_INFINITY;
        const stream = client.streamMovements({ after: options.after }, { ...request, onDisconnect });
        for await (const movement of stream) {
          if (pets && !pets.has(movement.petId)) continue;
          await printer.lines([printer.isJson ? jsonOf(movement) : movementLine(movement, printer.paint)]);
          left -= 1;
          if (left === 0) return;
        }
      }),
    );
}

/** A mistyped petId would wait without a word. It is no error: a pet can be made later, and a deleted one has movements. */
async function noteMissing({ client, context, request }: Run, petIds: readonly bigint[]): Promise<void> {
  for (let start = 0; start < petIds.length; start += MAX_LISTED) {
    const batch = petIds.slice(start, start + MAX_LISTED);
    const found = new Set((await client.listInventory({ petId: batch }, request)).map(({ petId }) => petId));
    for (const petId of batch.filter((each) => !found.has(each))) {
      context.stderr.write(
        `There is no pet with petId ${petId} now. Its movements appear when there are any.\n`,
      );
    }
  }
}
