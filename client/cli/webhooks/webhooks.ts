import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addListen } from './listen.ts';

/** Adds the commands for webhooks. */
export function addWebhooks(program: Command, context: Context): void {
  addListen(addGroup(program, 'webhooks', 'events that the service sends to a URL'), context);
}
