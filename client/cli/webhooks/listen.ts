import { parseNumber, parsePetIds } from '@petstore-inventory/shared/terminal/arguments';
import { type Command, InvalidArgumentError } from 'commander';
import { addCommand, JSON_LINES } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';
import { runCommand } from '../run.ts';
import type { ListenOptions } from './receive-events.ts';
import { SECRET_VARIABLE, secretOf } from './secret.ts';

const DEFAULT_PORT = 9_000;
const LOCAL_HOST = '127.0.0.1';

/** Adds the local receiver of webhooks. */
export function addListen(webhooks: Command, context: Context): void {
  addCommand(webhooks, 'listen', {
    summary: 'receive events on this machine, verify them and print them, until Ctrl-C',
    notes:
      'With --url the command makes an endpoint for that address, and removes it at the end. The address must lead to this ' +
      'port, for example through a tunnel: the service sends only to public addresses by https, unless its operator allows ' +
      `others. Without --url it receives for an endpoint that exists: set ${SECRET_VARIABLE} to its secret.`,
    json: JSON_LINES,
    examples: [
      'webhooks listen --url https://my-tunnel.example.com',
      'webhooks listen --url https://my-tunnel.example.com --type inventory.low,inventory.out --json',
    ],
  })
    .option('--port <n>', 'the port; 0 chooses one', parsePort, DEFAULT_PORT)
    .option('--host <address>', 'the address of this machine', LOCAL_HOST)
    .option('--url <url>', 'make an endpoint for this address, and remove it at the end')
    .option('--type, --types <types>', 'only these types, with commas between them', parseTypes)
    .option('--pet <pet-ids>', 'only events of these pets, with commas between them', parsePetIds)
    .option('--count <n>', 'end after this many events', parseNumber)
    .action(async ({ url, ...options }: ListenOptions, command: Command) => {
      // The module loads an HTTP server, which other commands do not need.
      const { listen } = await import('./receive-events.ts');
      if (url !== undefined) {
        return runCommand(context, command, (run) => listen(context, options, { run, url }));
      }
      const secret = secretOf(context);
      if (secret) return listen(context, options, { secret });
      throw new CommandFailure(
        `Give --url, an address that leads to this port, or set ${SECRET_VARIABLE} to the secret of an endpoint. ` +
          'A tunnel such as cloudflared or ngrok gives a port of this machine a public address.',
        EXIT.wrongUsage,
      );
    });
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('Give a port from 0 to 65535.');
}

function parseTypes(text: string): readonly string[] {
  const types = text.split(',');
  if (types.every((type) => /^[a-z_]+\.[a-z_]+$/.test(type))) return types;
  throw new InvalidArgumentError('Give types such as inventory.low,order.placed.');
}
