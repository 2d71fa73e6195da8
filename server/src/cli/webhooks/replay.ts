import { type Command, InvalidArgumentError } from 'commander';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { type EventReference, parseEventId, positionText } from '../../domain/webhooks/events.ts';
import { endpointMembers } from '../../wire/webhook-json.ts';
import { addCommand } from '../command.ts';
import { type DryRunOption, dryRunOutput, withDryRun } from '../dry-run.ts';
import { databaseCommand } from '../with-database.ts';
import { parseEndpointId } from './endpoint-options.ts';
import { describeChange } from './format-endpoint.ts';

interface ReplayOptions extends DryRunOption {
  readonly after: EventReference;
}

/** Adds the command that delivers events again. */
export function addReplay(webhooks: Command): void {
  const replay = addCommand(webhooks, 'replay', {
    summary: 'deliver all events after one again',
    notes: 'A later event skips those before it. A paused endpoint stays paused.',
    example: 'webhooks replay whe_4fQ2n8Zk1bXw0aLr --after 815.0 --dry-run',
  });
  withDryRun(replay, 'where the endpoint would continue')
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .requiredOption(
      '--after <event-id>',
      'id of an event, such as 815.0-1a2b3c4d, or its place, such as 815.0; 0.0 is before all',
      parseEvent,
    )
    .action(
      databaseCommand(
        async ({ store: { webhooks: store } }, id: string, { after, dryRun }: ReplayOptions) => {
          if (!dryRun) {
            const endpoint = await store.replay(id, after, CLI_AUTHOR);
            return describeChange(
              endpoint,
              `Webhook endpoint ${id} continues after event ${positionText(after)}.`,
            );
          }
          const endpoint = await store.checkReplay(id, after);
          return dryRunOutput(
            { after: positionText(after), endpoint: endpointMembers(endpoint) },
            `Webhook endpoint ${id} would continue after event ${positionText(after)}; now it does after ${positionText(endpoint.cursor)}.`,
          );
        },
      ),
    );
}

function parseEvent(text: string): EventReference {
  const position = parseEventId(text);
  if (!position) throw new InvalidArgumentError('Give the id of an event, such as 815.0-1a2b3c4d or 815.0.');
  return position;
}
