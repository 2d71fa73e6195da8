import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import type { Command } from 'commander';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import type { WebhookEndpointChanges } from '../../domain/webhooks/webhook-store.ts';
import { findAccount } from '../accounts.ts';
import { addCommand } from '../command.ts';
import { databaseCommand } from '../with-database.ts';
import { addDelete, addDeliveries, addReplay, addState } from './endpoint-actions.ts';
import {
  addSettingOptions,
  parseEndpointId,
  requireAllowedUrl,
  type SettingOptions,
  settingsOf,
} from './endpoint-options.ts';
import { describeChange, describeEndpoint, describeEndpoints, describeSecret } from './format-endpoint.ts';

/** Adds the commands for webhook endpoints. */
export function addWebhooks(program: Command): void {
  const webhooks = addGroup(program, 'webhooks', 'URLs of accounts that receive events');
  addEdit(webhooks);
  addState(webhooks);
  addReplay(webhooks);
  addDeliveries(webhooks);
  addDelete(webhooks);
}

interface CreateOptions extends SettingOptions {
  readonly url?: string;
  readonly account: string;
}

interface UpdateOptions extends SettingOptions {
  readonly url?: string;
  readonly allTypes?: true;
  readonly allPets?: true;
  readonly allStatuses?: true;
}

/** Adds the commands that make, show and change endpoints. */
function addEdit(webhooks: Command): void {
  addCreate(webhooks);
  addCommand(webhooks, 'list', {
    summary: 'list webhook endpoints',
    example: 'webhooks list --account shop',
  })
    .option('--account <name>', 'only those of one account, by its name or id')
    .action(
      databaseCommand(async ({ store }, { account }: { account?: string }) => {
        const owner = account === undefined ? undefined : findAccount(await store.accounts.list(), account);
        return describeEndpoints(await store.webhooks.list({ accountId: owner?.id }));
      }),
    );
  addCommand(webhooks, 'show', {
    summary: 'show a webhook endpoint, without its secret',
    example: 'webhooks show whe_4fQ2n8Zk1bXw0aLr',
  })
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .action(
      databaseCommand(async ({ store: { webhooks: store } }, id: string) =>
        describeEndpoint(await store.find(id)),
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
    .requiredOption('--account <name>', 'name or id of its account');
  addSettingOptions(create).action(
    databaseCommand(
      async ({ store, settings }, argument: string | undefined, options: CreateOptions) => {
        const { id: accountId } = findAccount(await store.accounts.list(), options.account);
        const url = requireAllowedUrl(argument ?? (options.url as string), settings);
        const endpoint = { accountId, url, ...settingsOf(options) };
        const made = await store.webhooks.create(endpoint, settings.maxWebhookEndpoints, CLI_AUTHOR);
        return describeSecret(made, `Webhook endpoint ${made.endpoint.id} is made.`);
      },
      {
        check: (command, argument, { url }) => {
          if ((argument === undefined) === (url === undefined)) command.error('error: give the URL, once');
        },
      },
    ),
  );
}

function addUpdate(webhooks: Command): void {
  const update = addCommand(webhooks, 'update', {
    summary: 'change a webhook endpoint',
    notes: 'A filter replaces the one before. A new URL is tried immediately.',
    example: 'webhooks update whe_4fQ2n8Zk1bXw0aLr --type order.placed --all-pets',
  })
    .argument('<id>', 'id of the endpoint', parseEndpointId)
    .option('--url <url>', 'where events are sent');
  addSettingOptions(update)
    .option('--all-types', 'events of all types')
    .option('--all-pets', 'events of all pets')
    .option('--all-statuses', 'movements to all statuses')
    .action(
      databaseCommand(
        async ({ store, settings }, id: string, options: UpdateOptions) => {
          if (options.url !== undefined) requireAllowedUrl(options.url, settings);
          const changed = await store.webhooks.update(id, changesOf(options), CLI_AUTHOR);
          return describeChange(changed, `Webhook endpoint ${id} is changed.`);
        },
        {
          check: (command, _id, options) => {
            if (Object.keys(changesOf(options)).length === 0) command.error('error: name what to change');
          },
        },
      ),
    );
}

function changesOf({ url, ...options }: UpdateOptions): WebhookEndpointChanges {
  return {
    ...(url !== undefined && { url }),
    ...(options.allTypes && { types: null }),
    ...(options.allPets && { petIds: null }),
    ...(options.allStatuses && { statuses: null }),
    ...settingsOf(options),
  };
}
