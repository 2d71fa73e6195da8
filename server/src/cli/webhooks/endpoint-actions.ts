import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { type Command, InvalidArgumentError } from 'commander';
import packageJson from '../../../package.json' with { type: 'json' };
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { CountedClock } from '../../domain/timestamps.ts';
import { type EventReference, parseEventId, positionText } from '../../domain/webhooks/events.ts';
import type { UnloggedAttempt } from '../../domain/webhooks/webhook-endpoint.ts';
import type { SigningEndpoint } from '../../domain/webhooks/webhook-store.ts';
import { parseNetworks } from '../../webhooks/delivery/addresses.ts';
import { TestSender } from '../../webhooks/test-sender.ts';
import { attemptMembers, endpointMembers } from '../../wire/webhook-json.ts';
import { addCommand } from '../command.ts';
import { requireYes, withYes, type YesOptions } from '../confirm.ts';
import { type DryRunOption, dryRunOutput, overlapOption, withDryRun } from '../options.ts';
import type { Output } from '../output.ts';
import { shownTime } from '../parse-time.ts';
import { type DatabaseRun, databaseCommand } from '../with-database.ts';
import { parseEndpointId } from './endpoint-options.ts';
import { describeAttempts, describeChange, describeSecret, resultOf } from './format-endpoint.ts';

/** Adds the commands that pause and resume endpoints and replace their secrets. */
export function addState(webhooks: Command): void {
  addCommand(webhooks, 'pause', {
    summary: 'send nothing to a webhook endpoint until it is resumed',
    example: 'webhooks pause whe_4fQ2n8Zk1bXw0aLr',
  })
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .action(
      databaseCommand(async ({ store }, id: string) =>
        describeChange(await store.webhooks.pause(id, CLI_AUTHOR), `Webhook endpoint ${id} is paused.`),
      ),
    );
  addCommand(webhooks, 'resume', {
    summary: 'continue after the last event that a webhook endpoint received',
    notes: 'An endpoint that fails gets its next attempt now.',
    example: 'webhooks resume whe_4fQ2n8Zk1bXw0aLr',
  })
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .action(
      databaseCommand(async ({ store }, id: string) => {
        const endpoint = await store.webhooks.resume(id, CLI_AUTHOR);
        return describeChange(
          endpoint,
          `Webhook endpoint ${id} is active; it continues after event ${positionText(endpoint.cursor)}.`,
        );
      }),
    );
  addCommand(webhooks, 'rotate', {
    summary: 'replace the secret of a webhook endpoint, and show the new one once',
    notes:
      'Until the overlap has passed, messages have the signatures of both secrets, and only --overlap 0 rotates again: it ends both.',
    example: 'webhooks rotate whe_4fQ2n8Zk1bXw0aLr --overlap 1d',
  })
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .addOption(overlapOption('how long the old secret signs too: 0 to 7d'))
    .action(
      databaseCommand(async ({ store }, id: string, { overlap }: { overlap: number }) => {
        const made = await store.webhooks.rotateSecret(id, overlap * 1_000, CLI_AUTHOR);
        const until = made.endpoint.previousSecretExpiresAtMs;
        const old = until === null ? 'signs nothing more' : `signs too until ${shownTime(until)}`;
        return describeSecret(made, `Webhook endpoint ${id} has a new secret. The old one ${old}.`);
      }),
    );
}

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

/** Adds the command that deletes an endpoint. */
export function addDelete(webhooks: Command): void {
  const remove = addCommand(webhooks, 'delete', {
    summary: 'delete a webhook endpoint',
    notes: 'Its secret, its place among the events and its log are lost for good; webhooks pause keeps them.',
    example: 'webhooks delete whe_4fQ2n8Zk1bXw0aLr --dry-run',
  });
  withYes(withDryRun(remove, 'the endpoint'))
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .action(
      databaseCommand(
        async ({ store: { webhooks: store } }, id: string, options: DryRunOption & YesOptions) => {
          const endpoint = await store.find(id);
          const value = { endpoint: endpointMembers(endpoint) };
          if (options.dryRun) return dryRunOutput(value, `${id} (${endpoint.url}) would be deleted.`);
          await requireYes(options, {
            what: 'webhooks delete loses the secret for good',
            question: () => `Delete the webhook endpoint of ${safe(endpoint.url)} for good?`,
            done: 'deleted',
          });
          await store.delete(id, CLI_AUTHOR);
          return { value, text: `Webhook endpoint ${id} is deleted.` };
        },
      ),
    );
}

/** Adds the commands for attempts to deliver. */
export function addDeliveries(webhooks: Command): void {
  addCommand(webhooks, 'deliveries', {
    summary: 'list the last 100 attempts to deliver, newest first',
    example: 'webhooks deliveries whe_4fQ2n8Zk1bXw0aLr',
  })
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .action(
      databaseCommand(async ({ store: { webhooks: store } }, id: string) =>
        describeAttempts(await store.attempts(id)),
      ),
    );
  addCommand(webhooks, 'resend', {
    summary: 'send one event to a webhook endpoint again from this machine',
    notes:
      'The endpoint keeps its place among the events, and a paused one stays paused. It exits with 1 when the event is not delivered.',
    example: 'webhooks resend whe_4fQ2n8Zk1bXw0aLr --event 815.0',
  })
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .requiredOption(
      '--event <event-id>',
      'id of an event, such as 815.0-1a2b3c4d, or its place, such as 815.0',
      parseEvent,
    )
    .action(
      databaseCommand((run, id: string, { event }: { event: EventReference }) =>
        sendOnce(run, id, 'resend', async (sender, to) => {
          const stored = await run.store.webhooks.findEvent(event);
          return sender.sendEvent(to.endpoint, async () => to, event, stored);
        }),
      ),
    );
  addCommand(webhooks, 'test', {
    summary: 'send a test message to a webhook endpoint from this machine',
    notes: 'It exits with 1 when the message is not delivered.',
    example: 'webhooks test whe_4fQ2n8Zk1bXw0aLr',
  })
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .action(
      databaseCommand((run, id: string) =>
        sendOnce(run, id, 'test', (sender, to) => sender.send(to.endpoint, async () => to)),
      ),
    );
}

/** Sends one message to an endpoint, past its queue, and logs the attempt. */
async function sendOnce(
  { store: database, settings: { webhookNetworks } }: DatabaseRun,
  id: string,
  verb: 'test' | 'resend',
  send: (sender: TestSender, to: SigningEndpoint) => Promise<UnloggedAttempt>,
): Promise<Output> {
  const { webhooks: store } = database;
  const to = await store.findWithSecrets(id);
  const sender = new TestSender(
    parseNetworks(webhookNetworks),
    packageJson.version,
    (await CountedClock.read(database)).now,
  );
  try {
    const attempt = await store.logAttempt(id, verb, await send(sender, to), CLI_AUTHOR);
    const what = verb === 'test' ? 'Test of' : `Event ${attempt.eventId} to`;
    const output = {
      value: attemptMembers(attempt),
      text: `${what} ${to.endpoint.url}: ${resultOf(attempt)}`,
    };
    return attempt.error === null ? output : { ...output, failure: 'The message was not delivered.' };
  } finally {
    sender.close();
  }
}
