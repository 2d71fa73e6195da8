import { isConfirmed } from '@petstore-inventory/shared/terminal/confirm';
import type { Command } from 'commander';
import { OperatorError } from '../../domain/errors.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { endpointMembers } from '../../wire/webhook-json.ts';
import { addCommand } from '../command.ts';
import { type DryRunOption, dryRunOutput, withDryRun } from '../dry-run.ts';
import { databaseCommand } from '../with-database.ts';
import { parseEndpointId } from './endpoint-options.ts';

interface DeleteOptions extends DryRunOption {
  readonly yes?: true;
  readonly json?: true;
}

/** Adds the command that deletes an endpoint. */
export function addDelete(webhooks: Command): void {
  const remove = addCommand(webhooks, 'delete', {
    summary: 'delete a webhook endpoint',
    notes: 'Its secret, its place among the events and its log are lost for good; webhooks pause keeps them.',
    example: 'webhooks delete whe_4fQ2n8Zk1bXw0aLr --dry-run',
  });
  withDryRun(remove, 'the endpoint')
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .option('--yes', 'delete without a question; required without a terminal')
    .action(
      databaseCommand(async ({ store: { webhooks: store } }, id: string, options: DeleteOptions) => {
        const endpoint = await store.find(id);
        const value = { endpoint: endpointMembers(endpoint) };
        if (options.dryRun) return dryRunOutput(value, `${id} (${endpoint.url}) would be deleted.`);
        if (!options.yes) await confirm(endpoint.url, options);
        await store.delete(id, CLI_AUTHOR);
        return { value, text: `Webhook endpoint ${id} is deleted.` };
      }),
    );
}

/** @throws OperatorError unless the person at the terminal agrees. */
async function confirm(url: string, { json }: DeleteOptions): Promise<void> {
  if (json || !process.stdin.isTTY || !process.stderr.isTTY) {
    throw new OperatorError(
      'webhooks delete loses the secret for good. Add --yes to confirm, or --dry-run to see the endpoint. Nothing was deleted.',
    );
  }
  if (await isConfirmed(`Delete the webhook endpoint of ${url} for good? [y/N] `)) return;
  throw new OperatorError('Nothing was deleted.');
}
