import type { Command } from 'commander';
import packageJson from '../../../package.json' with { type: 'json' };
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { CountedClock } from '../../domain/timestamps.ts';
import { parseNetworks } from '../../webhooks/delivery/addresses.ts';
import { TestSender } from '../../webhooks/test-sender.ts';
import { attemptMembers } from '../../wire/webhook-json.ts';
import { addCommand } from '../command.ts';
import { databaseCommand } from '../with-database.ts';
import { parseEndpointId } from './endpoint-options.ts';
import { describeAttempts, resultOf } from './format-endpoint.ts';

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
  addCommand(webhooks, 'test', {
    summary: 'send a test message to a webhook endpoint from this machine',
    notes: 'It exits with 1 when the message is not delivered.',
    example: 'webhooks test whe_4fQ2n8Zk1bXw0aLr',
  })
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .action(
      databaseCommand(async ({ store: database, settings: { webhookNetworks } }, id: string) => {
        const { webhooks: store } = database;
        const { endpoint, secrets } = await store.findWithSecrets(id);
        const sender = new TestSender(
          parseNetworks(webhookNetworks),
          packageJson.version,
          (await CountedClock.read(database)).now,
        );
        try {
          const attempt = await store.logTest(id, await sender.send(endpoint, secrets), CLI_AUTHOR);
          const text = `Test of ${endpoint.url}: ${resultOf(attempt)}`;
          const output = { value: attemptMembers(attempt), text };
          return attempt.error === null ? output : { ...output, failure: 'The message was not delivered.' };
        } finally {
          sender.close();
        }
      }),
    );
}
