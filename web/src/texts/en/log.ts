import type { ActivityAction } from '@petstore-inventory/shared/words';
import type { Count } from '../format.ts';

/**
 * A sentence per action of the activity log. `{who}` is its author and `{what}` the link to what was changed; other names are
 * values of the line. A part in brackets is left out, or is what follows `|`, if the line does not have its values.
 */
const sentences = {
  'accounts.create': '{who} created the account {what}[ with the plan {plan}]',
  'accounts.update': '{who} changed the account {what}[: plan {plan}]',
  'keys.create': '{who} created the key {what}[, which works until {until}]',
  'keys.rotate': '{who} replaced the key {what}',
  'keys.revoke': '{who} revoked the key {what}',
  'keys.lift-ban': '{who} lifted the ban of the key {what}',
  'admin-keys.create': '{who} created the management key {what}[ with the role {role}]',
  'admin-keys.rotate': '{who} replaced the management key {what}',
  'admin-keys.revoke': '{who} revoked the management key {what}',
  'sessions.create': '{who} signed in',
  'sessions.end': '{who} ended a session',
  'sign-in-codes.create': '{who} created a sign-in link for the management key {what}',
  'inventory.set': '{who} set the stock of {what}[ to {quantity}]',
  'inventory.adjust': '{who} changed the stock of {what}[ by {delta}]',
  'inventory.status': '{who} changed the status of {what}[ to {status}]',
  'inventory.thresholds': '{who} changed the thresholds of {what}[: low at {low}][, enough at {restock}]',
  'inventory.batch': '{who} changed [{changes}|many pets] in one step',
  'orders.place': '{who} placed an order[ for {lines}]',
  'orders.approve': '{who} approved {what}',
  'orders.deliver': '{who} delivered [{lines} of ]{what}',
  'orders.cancel': '{who} cancelled {what}',
  'orders.return': '{who} took back [{lines} of ]{what}',
  'orders.expire': '{who} ended the hold of {what}',
  'pets.create': '{who} added {what}[ with {quantity} in stock]',
  'pets.update': '{who} edited {what}[: {fields}]',
  'pets.archive': '{who} archived {what}',
  'pets.restore': '{who} restored {what}',
  'pets.delete': '{who} deleted {what}',
  'pets.import': '{who} imported pets from a file[: {created} new, {changed} changed]',
  'reorders.update': '{who} changed what is ordered of {what}[: {ordered} units][, expected on {expected}]',
  'bulk-changes.create': '{who} planned a change of [{pets}|many pets][: {fields}]',
  'bulk-changes.apply': '{who} applied a change of [{pets}|many pets][: {fields}]',
  'bulk-changes.undo': '{who} began to undo a change of [{pets}|many pets][: {fields}]',
  'bulk-changes.cancel': '{who} cancelled a change of [{pets}|many pets][: {fields}]',
  'bulk-changes.finish': '{who} finished a change of [{pets}|many pets][: {fields}]',
  'imports.create': '{who} uploaded the import {what}',
  'imports.plan': '{who} planned the import {what} again',
  'imports.apply': '{who} applied the import {what}[: {new} new, {changed} changed]',
  'imports.cancel': '{who} cancelled the import {what}',
  'imports.delete': '{who} deleted the import {what}',
  'import-mappings.set': '{who} remembered the columns {what}',
  'import-mappings.delete': '{who} forgot the columns {what}',
  'stocktakes.start': '{who} started the stock-take {what}',
  'stocktakes.count': '{who} counted [{counted} of {pet}|a pet] for the stock-take {what}',
  'stocktakes.close': '{who} closed the stock-take {what}',
  'stocktakes.undo': '{who} undid the stock-take {what}',
  'thresholds.set': '{who} changed the thresholds of the shop[: low at {low}][, enough at {restock}]',
  'movements.revert': '{who} undid the change {what}',
  'movements.prune': '{who} deleted old movements of the ledger[: {deleted}]',
  'webhooks.create': '{who} added the endpoint {what}',
  'webhooks.update': '{who} changed the endpoint {what}',
  'webhooks.delete': '{who} deleted the endpoint {what}',
  'webhooks.pause': '{who} paused the endpoint {what}',
  'webhooks.resume': '{who} resumed the endpoint {what}',
  'webhooks.rotate': '{who} replaced the secret of the endpoint {what}',
  'webhooks.replay': '{who} replayed events to the endpoint {what}',
  'webhooks.resend': '{who} sent [the event {event}|an event] to the endpoint {what} again',
  'webhooks.test': '{who} sent a test to the endpoint {what}',
} satisfies Readonly<Record<ActivityAction, string>>;

/** The activity log. */
export const log: {
  readonly sentences: Readonly<Record<ActivityAction, string>>;
  readonly unknown: string;
  readonly ofPets: (count: Count) => string;
  readonly showDetails: string;
  readonly happened: string;
} = {
  sentences,
  /** An action that is newer than this page. */
  unknown: '{who}: {action}[, {what}]',
  ofPets: (count) => (count.isOne ? '1 pet' : `${count} pets`),
  showDetails: 'Show',
  happened: 'What happened',
};
