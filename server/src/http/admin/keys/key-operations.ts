import { z } from '@hono/zod-openapi';
import { isStorableLine } from '@petstore-inventory/shared/storable-text';
import { parseTimestamp } from '@petstore-inventory/shared/timestamp';
import type { KeyKind } from '../../../domain/access/api-key.ts';
import type { Principal } from '../../../domain/access/principal.ts';
import * as actions from '../../../domain/actions/keys.ts';
import type { KeyPlace, KeyQuery, ManagementStore } from '../../../domain/admin-store.ts';
import { validationFailed } from '../../../domain/errors.ts';
import { onlySet } from '../../../domain/only-set.ts';
import { timestamp } from '../../../domain/timestamps.ts';
import { CONFLICT } from '../../openapi/error-responses.ts';
import { optionalBody } from '../../operation/body.ts';
import { operationsWith } from '../../operation/operation.ts';
import { located, one, type Page, pageOf, type View } from '../../operation/output.ts';
import { cursor, LIMIT, NAMED_CURSOR, oneMore, parsePlace, printPlace } from '../../operation/parameter.ts';
import { bodyObject, timeField } from '../fields.ts';
import { KEY_ID, type RotatedKey, type SeenKey } from './key-views.ts';

/** What the operations on keys of both kinds have in common. */

interface KeyServices {
  readonly management: ManagementStore;
  /** What the secrets of new keys are made with. */
  readonly secrets: actions.KeySecrets;
}

/** How the operations on keys of the two kinds differ. */
interface KindTexts {
  readonly kind: KeyKind;
  readonly tag: string;
  readonly path: '/keys' | '/admin-keys';
  /** With its article. */
  readonly noun: string;
  /** What a rotated key keeps besides its name. */
  readonly kept: string;
  readonly shown: View<SeenKey>;
  readonly rotated: View<RotatedKey>;
}

const OVERLAP_RULE = `must be a whole number from 0 to ${actions.MAX_OVERLAP_SECONDS}.`;

const RotationSchema = bodyObject({
  overlapSeconds: z
    .int(OVERLAP_RULE)
    .min(0, OVERLAP_RULE)
    .max(actions.MAX_OVERLAP_SECONDS, OVERLAP_RULE)
    .optional()
    .openapi({
      format: 'int32',
      description: `How long the old key still works; ${actions.DEFAULT_OVERLAP_SECONDS} by default.`,
      example: 3_600,
    }),
  expiresAt: timeField('When the new key expires; by default it lives as long as the old one.').optional(),
}).openapi('KeyRotation', { description: 'How to rotate a key.', example: { overlapSeconds: 3_600 } });

/** Defines the operations on one key of a kind. */
export function keyOperations({ kind, tag, path, noun, kept, shown, rotated }: KindTexts) {
  const operation = operationsWith<KeyServices>({ tag });
  const ofKey = { path: { keyId: KEY_ID }, missing: 'key' };
  return {
    operation,

    get: ({ id }: { readonly id: string }) =>
      operation({
        id,
        at: `GET ${path}/{keyId}`,
        summary: `Get ${noun}`,
        description: `Returns one ${noun.replace(/^an? /, '')} without its secret.`,
        access: { role: 'viewer' },
        ...ofKey,
        output: one(shown, { description: 'The key.' }),
        handle: async ({ management }, call) => {
          const principal = await actions.requireKey(management, call.path.keyId, kind);
          return { principal, nowMs: await management.now() };
        },
      }),

    rotate: ({ id }: { readonly id: string }) =>
      operation({
        id,
        at: `POST ${path}/{keyId}/rotate`,
        summary: `Rotate ${noun}`,
        description: `Creates a key with the name and ${kept} of the old one, which works until the overlap ends. Only this response has the secret of the new key. A key that does not work, or was rotated before, is a \`conflict\`.`,
        access: { role: 'administrator' },
        ...ofKey,
        body: { ...optionalBody(RotationSchema), required: undefined },
        output: one(rotated, {
          status: 201,
          description: 'The new key.',
          headers: [located(({ principal }) => `${path}/${principal.key.id}`)],
        }),
        errors: CONFLICT,
        handle: async ({ management, secrets }, call) => {
          const { overlapSeconds = actions.DEFAULT_OVERLAP_SECONDS, expiresAt } = call.body ?? {};
          const expiresAtMs = expiryOf(expiresAt, await management.now());
          const named = { keyId: call.path.keyId, kind };
          return actions.rotateKey(management, secrets, named, { overlapSeconds, expiresAtMs }, call.author);
        },
      }),

    revoke: ({ id }: { readonly id: string }) =>
      operation({
        id,
        at: `POST ${path}/{keyId}/revoke`,
        summary: `Revoke ${noun}`,
        description:
          'Revokes the key for good. Every instance refuses it within 5 seconds. A revoked key stays as it is.',
        access: { role: 'administrator' },
        ...ofKey,
        output: one(shown, { description: 'The revoked key.' }),
        handle: async ({ management }, call) => {
          const named = { keyId: call.path.keyId, kind };
          const { principal } = await actions.revokeKey(management, named, call.author);
          return { principal, nowMs: await management.now() };
        },
      }),
  };
}

/** The query of a list of keys, besides its text. */
export const KEY_PAGE = {
  limit: LIMIT,
  cursor: cursor<KeyPlace>(
    {
      parse: (text) => {
        const [, before = '', accountName = ''] = /^(\d+ \w+) (.*)$/s.exec(text) ?? [];
        const place = isStorableLine(accountName) ? parsePlace(before) : undefined;
        return place && { ...place, accountName };
      },
      print: ({ accountName, ...place }) => `${printPlace(place)} ${accountName}`,
    },
    NAMED_CURSOR,
  ),
};

interface ListedKeysQuery extends Pick<KeyQuery, 'kind' | 'accountId'> {
  readonly q: string | undefined;
  readonly limit: number;
  readonly cursor: KeyPlace | undefined;
}

/** A page of keys, as they are now. */
export async function listedKeys(
  management: ManagementStore,
  { q, limit, cursor, ...filter }: ListedKeysQuery,
): Promise<Page<SeenKey>> {
  const [keys, nowMs] = await Promise.all([
    management.keys.list({ ...filter, ...onlySet({ words: q }), ...oneMore({ limit, cursor }) }),
    management.now(),
  ]);
  return pageOf(
    keys.map((principal) => ({ principal, nowMs })),
    limit,
    ({ principal }) => placeOf(principal),
  );
}

function placeOf({ key: { id, role, createdAtMs }, account }: Principal): KeyPlace {
  return { id, createdAtMs, accountName: role === null ? account.name : '' };
}

/** @throws OperatorError `validation_failed` for a time that is not in the future. */
export function expiryOf(text: string | undefined, nowMs: number): number | undefined {
  const atMs = text === undefined ? undefined : parseTimestamp(text);
  if (atMs === undefined) return undefined;
  if (atMs > nowMs) return Math.floor(atMs);
  throw validationFailed(
    `expiresAt must be in the future. It is ${timestamp(atMs)}, and the service has ${timestamp(nowMs)}.`,
  );
}
