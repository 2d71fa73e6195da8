import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addOrderList } from './list.ts';
import { addPlace } from './place.ts';
import { addShow } from './show.ts';
import { addSteps } from './steps.ts';

/** Adds the commands for orders. */
export function addOrders(program: Command, context: Context): void {
  const orders = addGroup(program, 'orders', 'orders of customers, and the units that they reserve');
  addOrderList(orders, context);
  addShow(orders, context);
  addPlace(orders, context);
  addSteps(orders, context);
}
