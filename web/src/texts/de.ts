import { access } from './de/access.ts';
import { activity } from './de/activity.ts';
import { app } from './de/app.ts';
import { count } from './de/count.ts';
import { errors } from './de/errors.ts';
import { importErrors } from './de/import-errors.ts';
import { imports } from './de/imports.ts';
import { labels } from './de/labels.ts';
import { log } from './de/log.ts';
import { movements } from './de/movements.ts';
import { orders } from './de/orders.ts';
import { overview } from './de/overview.ts';
import { pet } from './de/pet.ts';
import { reorders } from './de/reorders.ts';
import { reports } from './de/reports.ts';
import { shared } from './de/shared.ts';
import { stock } from './de/stock.ts';
import { stocktakes } from './de/stocktakes.ts';
import { system } from './de/system.ts';
import { webhooks } from './de/webhooks.ts';
import type { Texts } from './en.ts';

export const de: Texts = {
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
