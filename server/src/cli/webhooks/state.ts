import type { Command } from 'commander';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { positionText } from '../../domain/webhooks/events.ts';
import { addCommand } from '../command.ts';
import { parseOverlapSeconds } from '../parse-time.ts';
import { databaseCommand } from '../with-database.ts';
import { parseEndpointId } from './endpoint-options.ts';
import { describeChange, describeSecret } from './format-endpoint.ts';

const DEFAULT_OVERLAP_SECONDS = 86_400;

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
    .option(
      '--overlap <duration>',
      'how long the old secret signs too, up to 7d',
      parseOverlapSeconds,
      DEFAULT_OVERLAP_SECONDS,
    )
    .action(
      databaseCommand(async ({ store }, id: string, { overlap }: { overlap: number }) =>
        describeSecret(
          await store.webhooks.rotateSecret(id, overlap * 1_000, CLI_AUTHOR),
          `Webhook endpoint ${id} has a new secret.`,
        ),
      ),
    );
}
