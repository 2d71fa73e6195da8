import { access } from './en/access.ts';
import { activity } from './en/activity.ts';
import { app } from './en/app.ts';
import { count } from './en/count.ts';
import { errors } from './en/errors.ts';
import { importErrors } from './en/import-errors.ts';
import { imports } from './en/imports.ts';
import { labels } from './en/labels.ts';
import { log } from './en/log.ts';
import { movements } from './en/movements.ts';
import { orders } from './en/orders.ts';
import { overview } from './en/overview.ts';
import { pet } from './en/pet.ts';
import { reorders } from './en/reorders.ts';
import { reports } from './en/reports.ts';
import { shared } from './en/shared.ts';
import { stock } from './en/stock.ts';
import { stocktakes } from './en/stocktakes.ts';
import { system } from './en/system.ts';
import { webhooks } from './en/webhooks.ts';

/** All texts of the dashboard in English; other languages have the same shape. */
export const en = {
  access,
  activity,
  app,
  count,
  errors,
  importErrors,
  imports,
  labels,
  log,
  movements,
  orders,
  overview,
  pet,
  reorders,
  reports,
  shared,
  stock,
  stocktakes,
  system,
  webhooks,
};

export type Texts = typeof en;
