import type { Command } from 'commander';
import { addGroup } from '../command.ts';
import { addDelete } from './delete.ts';
import { addDeliveries } from './deliveries.ts';
import { addEdit } from './edit.ts';
import { addReplay } from './replay.ts';
import { addState } from './state.ts';

/** Adds the commands for webhook endpoints. */
export function addWebhooks(program: Command): void {
  const webhooks = addGroup(program, 'webhooks', 'URLs of accounts that receive events');
  addEdit(webhooks);
  addState(webhooks);
  addReplay(webhooks);
  addDeliveries(webhooks);
  addDelete(webhooks);
}
