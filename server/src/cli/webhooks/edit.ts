import type { Command } from 'commander';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import type { WebhookEndpointChanges } from '../../domain/webhooks/webhook-store.ts';
import { findAccount } from '../accounts/find-account.ts';
import { addCommand } from '../command.ts';
import { runCommand } from '../terminal/output.ts';
import { withDatabase } from '../with-database.ts';
import {
  addFilterOptions,
  type FilterOptions,
  filterOf,
  parseDescription,
  parseEndpointId,
  requireAllowedUrl,
} from './endpoint-options.ts';
import { describeChange, describeEndpoint, describeEndpoints, describeSecret } from './format-endpoint.ts';

interface CreateOptions extends FilterOptions {
  readonly url?: string;
  readonly account: string;
  readonly description?: string;
}

interface UpdateOptions extends FilterOptions {
  readonly url?: string;
  readonly description?: string;
  readonly allTypes?: true;
  readonly allPets?: true;
  readonly allStatuses?: true;
}

/** Adds the commands that make, show and change endpoints. */
export function addEdit(webhooks: Command): void {
  addCreate(webhooks);
  addCommand(webhooks, 'list', {
    summary: 'list webhook endpoints',
    example: 'webhooks list --account shop',
  })
    .option('--account <name>', 'only those of one account, by its name or id')
    .action(({ account }: { account?: string }, command: Command) =>
      runCommand(command, (config) =>
        withDatabase(config, async (store) => {
          const owner = account === undefined ? undefined : findAccount(await store.accounts.list(), account);
          return describeEndpoints(await store.webhooks.list({ accountId: owner?.id }));
        }),
      ),
    );
  addCommand(webhooks, 'show', {
    summary: 'show a webhook endpoint, without its secret',
    example: 'webhooks show whe_4fQ2n8Zk1bXw0aLr',
  })
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .action((id: string, _options, command: Command) =>
      runCommand(command, (config) =>
        withDatabase(config, async ({ webhooks: store }) => describeEndpoint(await store.find(id))),
      ),
    );
  addUpdate(webhooks);
}

function addCreate(webhooks: Command): void {
  const create = addCommand(webhooks, 'create', {
    summary: 'make a webhook endpoint, and show its secret once',
    notes: 'All events from now on are sent to the URL. Without filters it receives everything.',
    example: 'webhooks create https://shop.example/hooks --account shop --type inventory.low inventory.out',
  })
    .argument('[url]', 'where events are sent')
    .option('--url <url>', 'the same, as webhooks update has it')
    .requiredOption('--account <name>', 'name or id of its account')
    .option('--description <text>', 'a remark for people', parseDescription);
  addFilterOptions(create).action(
    (argument: string | undefined, options: CreateOptions, command: Command) => {
      const url = argument ?? options.url;
      if (url === undefined || (argument !== undefined && options.url !== undefined)) {
        return command.error('error: give the URL, once');
      }
      return runCommand(command, (config) =>
        withDatabase(config, async (store, settings) => {
          const { id: accountId } = findAccount(await store.accounts.list(), options.account);
          const filter = { types: null, petIds: null, statuses: null, ...filterOf(options) };
          const description = options.description ?? null;
          const endpoint = { accountId, url: requireAllowedUrl(url, settings), description, ...filter };
          const made = await store.webhooks.create(endpoint, settings.maxWebhookEndpoints, CLI_AUTHOR);
          return describeSecret(made, `Webhook endpoint ${made.endpoint.id} is made.`);
        }),
      );
    },
  );
}

function addUpdate(webhooks: Command): void {
  const update = addCommand(webhooks, 'update', {
    summary: 'change a webhook endpoint',
    notes: 'A filter replaces the one before. A new URL is tried immediately.',
    example: 'webhooks update whe_4fQ2n8Zk1bXw0aLr --type order.placed --all-pets',
  })
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .option('--url <url>', 'where events are sent')
    .option('--description <text>', 'a remark for people', parseDescription);
  addFilterOptions(update)
    .option('--all-types', 'events of all types')
    .option('--all-pets', 'events of all pets')
    .option('--all-statuses', 'movements to all statuses')
    .action((id: string, options: UpdateOptions, command: Command) =>
      runCommand(command, (config) => {
        const { url, description } = options;
        const changes: WebhookEndpointChanges = {
          ...(url !== undefined && { url }),
          ...(description !== undefined && { description }),
          ...(options.allTypes && { types: null }),
          ...(options.allPets && { petIds: null }),
          ...(options.allStatuses && { statuses: null }),
          ...filterOf(options),
        };
        if (Object.keys(changes).length === 0) return command.error('error: name what to change');
        return withDatabase(config, async (store, settings) => {
          if (url !== undefined) requireAllowedUrl(url, settings);
          const changed = await store.webhooks.update(id, changes, CLI_AUTHOR);
          return describeChange(changed, `Webhook endpoint ${id} is changed.`);
        });
      }),
    );
}
