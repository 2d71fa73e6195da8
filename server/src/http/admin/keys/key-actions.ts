import { z } from '@hono/zod-openapi';
import type { KeyKind } from '../../../domain/access/api-key.ts';
import {
  createKey,
  DEFAULT_OVERLAP_SECONDS,
  type KeyFields,
  MAX_OVERLAP_SECONDS,
  requireKey,
  revokeKey,
  rotateKey,
} from '../../../domain/actions/keys.ts';
import { OperatorError } from '../../../domain/errors.ts';
import { parseTimestamp } from '../../../domain/timestamps.ts';
import type { Answer } from '../../../listen/exchange.ts';
import { MAX_BODY_BYTES, readOptionalJsonBody } from '../../request/json-body.ts';
import type { Handler } from '../../request/operation.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { type AdminServices, authorOf, respondJson } from '../admin-operation.ts';
import { bodyObject, ruled, timeField } from '../fields.ts';
import { type PageQuery, respondPage } from '../paging.ts';
import { keyJson, madeKeyJson, timeOrNull } from './key-schema.ts';

/** What the operations on keys of both kinds have in common. */

const COLLECTION: Readonly<Record<KeyKind, string>> = { client: 'keys', management: 'admin-keys' };
const OVERLAP_RULE = `must be a whole number from 0 to ${MAX_OVERLAP_SECONDS}.`;

export const KeyRotationSchema = bodyObject({
  overlapSeconds: z
    .int(ruled(OVERLAP_RULE))
    .min(0, OVERLAP_RULE)
    .max(MAX_OVERLAP_SECONDS, OVERLAP_RULE)
    .optional()
    .openapi({
      format: 'int32',
      description: `How long the old key still works; ${DEFAULT_OVERLAP_SECONDS} by default.`,
      example: 3_600,
    }),
  expiresAt: timeField('When the new key expires; by default it lives as long as the old one.').optional(),
}).openapi('KeyRotation', { description: 'How to rotate a key.', example: { overlapSeconds: 3_600 } });

export async function respondKeys(
  context: RequestContext,
  { management, baseUrl }: AdminServices,
  page: PageQuery,
  query: { readonly kind: KeyKind; readonly accountId?: string },
): Promise<Answer> {
  const [keys, nowMs] = await Promise.all([
    management.listKeys({
      ...query,
      limit: page.limit + 1,
      ...(page.after !== undefined && { after: page.after }),
    }),
    management.now(),
  ]);
  return respondPage(context, page, keys, {
    address: `${baseUrl}/${COLLECTION[query.kind]}`,
    idOf: ({ key }) => key.id,
    json: (principal) => keyJson(principal, nowMs),
  });
}

/** @param expiresAt As sent. */
export async function respondNewKey(
  context: RequestContext,
  { management, secrets, baseUrl }: AdminServices,
  { expiresAt, ...fields }: Omit<KeyFields, 'expiresAtMs'> & { readonly expiresAt: string | undefined },
): Promise<Answer> {
  const expiresAtMs = expiryOf(expiresAt, await management.now()) ?? null;
  const made = await createKey(management, secrets, { ...fields, expiresAtMs }, authorOf(context));
  const collection = COLLECTION[fields.role === null ? 'client' : 'management'];
  const headers = { Location: `${baseUrl}/${collection}/${made.principal.key.id}` };
  return respondJson(context, 201, madeKeyJson(made), headers);
}

export function getHandler({ management }: AdminServices, kind: KeyKind): Handler {
  return async (context, parameter) => {
    requireNoQuery(context);
    const principal = await requireKey(management, parameter('keyId'), kind);
    return respondJson(context, 200, keyJson(principal, await management.now()));
  };
}

export function rotateHandler({ management, secrets, baseUrl }: AdminServices, kind: KeyKind): Handler {
  return async (context, parameter) => {
    requireNoQuery(context);
    const keyId = parameter('keyId');
    const body = await readOptionalJsonBody(context, { schema: KeyRotationSchema, maxBytes: MAX_BODY_BYTES });
    const options = {
      overlapSeconds: body?.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS,
      expiresAtMs: expiryOf(body?.expiresAt, await management.now()),
    };
    const made = await rotateKey(management, secrets, { keyId, kind }, options, authorOf(context));
    const json = { ...madeKeyJson(made), oldExpiresAt: timeOrNull(made.oldExpiresAtMs) };
    const headers = { Location: `${baseUrl}/${COLLECTION[kind]}/${made.principal.key.id}` };
    return respondJson(context, 201, json, headers);
  };
}

export function revokeHandler({ management }: AdminServices, kind: KeyKind): Handler {
  return async (context, parameter) => {
    requireNoQuery(context);
    const { principal } = await revokeKey(management, { keyId: parameter('keyId'), kind }, authorOf(context));
    return respondJson(context, 200, keyJson(principal, await management.now()));
  };
}

/** @throws OperatorError `validation_failed` for a time that is not in the future. */
function expiryOf(text: string | undefined, nowMs: number): number | undefined {
  const atMs = text === undefined ? undefined : parseTimestamp(text);
  if (atMs === undefined || atMs > nowMs) return atMs === undefined ? undefined : Math.floor(atMs);
  throw new OperatorError('expiresAt must be in the future.', { code: 'validation_failed' });
}
