import { parsePetIdArgument } from '@petstore-inventory/shared/terminal/arguments';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { addCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';
import { SAMPLES } from './sample-events.ts';
import { SECRET_VARIABLE, secretOf } from './secret.ts';
import type { TriggerOptions } from './send-event.ts';

/** Adds the command that sends a sample event. */
export function addTrigger(program: Command, context: Context): void {
  addCommand(program, 'trigger', {
    summary: 'send a signed sample event to a receiver, as the service would send it',
    notes:
      `Set ${SECRET_VARIABLE} to the secret of the receiver, whsec_… . Nothing is read from a service or changed in it, and the ` +
      'address may be one of this machine.',
    json: 'print the message and the response as one JSON value, and errors as {"error": "…", "errors": […]}',
    examples: [
      'trigger inventory.low --url http://127.0.0.1:9000',
      'trigger order.placed --url https://shop.example.com/hooks --pet 9007199254740993 --json',
    ],
    isLocal: true,
  })
    .addArgument(new Argument('<type>', 'the type of the event').choices(Object.keys(SAMPLES)))
    .requiredOption('--url <url>', 'the address of the receiver', parseUrl)
    .option('--pet <pet-id>', 'the pet of the event, if it is about one; 7 without it', parsePetIdArgument)
    .option(
      '--id <id>',
      'the id of the event: send one twice to see that the receiver takes it once',
      parseId,
    )
    .action(async (type: string, options: TriggerOptions) => {
      const secret = secretOf(context);
      if (secret === undefined) {
        throw new CommandFailure(
          `Set ${SECRET_VARIABLE} to the secret of the receiver. For a trial, any one serves: ` +
            `export ${SECRET_VARIABLE}=whsec_$(openssl rand -base64 24)`,
          EXIT.wrongUsage,
        );
      }
      // The module loads cryptography, which other commands do not need.
      const { trigger } = await import('./send-event.ts');
      return trigger(context, type, secret, options);
    });
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('Give an address such as http://127.0.0.1:9000/hooks.');
  }
  if (url.username === '' && url.password === '') return url;
  throw new InvalidArgumentError(
    'Give an address without a user name and a password: the service refuses one.',
  );
}

function parseId(text: string): string {
  if (/^[\w.-]{1,100}$/.test(text)) return text;
  throw new InvalidArgumentError('Give up to 100 letters, digits, dots, hyphens and underscores.');
}
