import type { Paint } from '@petstore-inventory/shared/terminal/paint';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { table } from '@petstore-inventory/shared/terminal/table';
import { readableSeconds, readableTime, thousands } from '@petstore-inventory/shared/terminal/texts';
import type { Command } from 'commander';
import type { RateLimit, RateLimitWindow } from '../../src/index.ts';
import { addCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { runCommand } from '../run.ts';

/** Below this part of a limit its rest is marked. */
const SCARCE = 0.1;

/** Adds the limits of the account. */
export function addLimits(program: Command, context: Context): void {
  addCommand(program, 'limits', {
    summary: 'show the plan, what remains of its limits, and any ban of the key',
    notes: 'Takes nothing from the limits.',
    examples: ['limits', 'limits --json'],
  }).action((_options, command: Command) =>
    runCommand(context, command, async ({ client, printer, request, wait }) => {
      const limits = await wait('Reading the limits', () => client.getRateLimit(request));
      await printer.print(limits, describe(limits, printer.paint, Date.now() / 1_000));
    }),
  );
}

function describe({ plan, minute, day, ban }: RateLimit, paint: Paint, now: number): string {
  const row = (name: string, { limit, remaining, reset }: RateLimitWindow) => [
    name,
    thousands(limit),
    remaining < limit * SCARCE ? paint.style('red', thousands(remaining)) : thousands(remaining),
    `in ${readableSeconds(Math.max(0, Math.ceil(reset - now)))}`,
  ];
  const rows = [row('minute', minute), row('day', day)];
  const until = ban && readableTime(new Date(ban.until * 1_000).toISOString());
  return [
    `Plan ${safe(plan)}`,
    '',
    table(['WINDOW', 'LIMIT', 'REMAINING', 'RESETS'], rows, paint),
    ...(until
      ? ['', `${paint.state('banned')} until ${until}, because requests did not wait after a 429.`]
      : []),
  ].join('\n');
}
