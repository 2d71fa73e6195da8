import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_FILTER_PETS, MAX_WEBHOOK_DESCRIPTION } from '@petstore-inventory/shared/limits';
import { isStorableText } from '@petstore-inventory/shared/storable-text';
import { parsePetIds } from '@petstore-inventory/shared/terminal/arguments';
import { PET_STATUSES, type PetStatus } from '@petstore-inventory/shared/words';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../../config.ts';
import { OperatorError } from '../../domain/errors.ts';
import { onlySet } from '../../domain/only-set.ts';
import { EVENT_TYPES, type EventType } from '../../domain/webhooks/events.ts';
import type { WebhookEndpointChanges } from '../../domain/webhooks/webhook-store.ts';
import { parseNetworks } from '../../webhooks/delivery/addresses.ts';
import { parseEndpointUrl } from '../../webhooks/delivery/endpoint-url.ts';

const ENDPOINT_ID = /^whe_[0-9A-Za-z]{16}$/;

/** The settings of a command line; one that is missing is not in the object. */
export interface SettingOptions {
  readonly description?: string;
  readonly type?: readonly EventType[];
  readonly pet?: readonly bigint[];
  readonly status?: readonly PetStatus[];
}

export function parseEndpointId(text: string): string {
  if (ENDPOINT_ID.test(text)) return text;
  throw new InvalidArgumentError('Give an id such as whe_4fQ2n8Zk1bXw0aLr; webhooks list shows them.');
}

function parseDescription(text: string): string {
  if (hasAtMost(text, MAX_WEBHOOK_DESCRIPTION) && isStorableText(text)) return text;
  throw new InvalidArgumentError(`Give at most ${MAX_WEBHOOK_DESCRIPTION} characters.`);
}

/** Adds the options of settings. */
export function addSettingOptions(command: Command): Command {
  return command
    .option('--description <text>', 'a remark for people', parseDescription)
    .option(
      '--types, --type <types...>',
      'only events of these types, with commas or spaces between them',
      listedOf(EVENT_TYPES),
    )
    .option('--pet <pet-ids>', 'only events of these pets, with commas between them', parsePetIds)
    .option(
      '--status <statuses...>',
      'only movements that leave the pet in one of these statuses, with commas or spaces between them',
      listedOf(PET_STATUSES),
    );
}

/** Reads values of an enumeration with commas between them, and adds them to those of an earlier word or option. */
function listedOf<T extends string>(known: readonly T[]) {
  return (text: string, earlier: readonly T[] = []): readonly T[] => {
    const chosen = text.split(',').map((word) => known.find((one) => one === word));
    if (chosen.every((one) => one !== undefined)) return [...earlier, ...chosen];
    throw new InvalidArgumentError(`Give one or more of ${known.join(', ')}.`);
  };
}

/** The given settings without repetitions. @throws OperatorError for too many pets. */
export function settingsOf({ description, type, pet, status }: SettingOptions): WebhookEndpointChanges {
  const petIds = pet && [...new Set(pet)].toSorted((a, b) => (a < b ? -1 : 1));
  if (petIds && petIds.length > MAX_FILTER_PETS) {
    throw new OperatorError(`An endpoint has at most ${MAX_FILTER_PETS} pets; without --pet it has all.`);
  }
  return onlySet<WebhookEndpointChanges>({
    description,
    types: type && [...new Set(type)],
    petIds,
    statuses: status && [...new Set(status)],
  });
}

/** @throws OperatorError for a URL to which the service does not send. */
export function requireAllowedUrl(url: string, { webhookNetworks }: Config): string {
  const parsed = parseEndpointUrl(url, parseNetworks(webhookNetworks));
  if (typeof parsed !== 'string' && isStorableText(url)) return url;
  throw new OperatorError(
    typeof parsed === 'string'
      ? `${JSON.stringify(url)} cannot be used. ${parsed}`
      : 'The URL is not well-formed.',
  );
}
