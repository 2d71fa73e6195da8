import type { KeyKind } from '../../../domain/access/api-key.ts';
import { createKey, type KeyFields } from '../../../domain/actions/keys.ts';
import { OperatorError } from '../../../domain/errors.ts';
import { parseTimestamp } from '../../../domain/timestamps.ts';
import type { Answer } from '../../../listen/exchange.ts';
import { keyJson, madeKeyJson } from '../../../wire/key-json.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { type AdminServices, authorOf, respondJson } from '../admin-operation.ts';
import { type PageQuery, respondPage } from '../paging.ts';
import { KIND_TEXTS } from './key-kinds.ts';

/** What the operations on keys of both kinds have in common. */

export async function respondKeys(
  context: RequestContext,
  { management, baseUrl }: AdminServices,
  page: PageQuery,
  query: { readonly kind: KeyKind; readonly accountId?: string },
): Promise<Answer> {
  const [keys, nowMs] = await Promise.all([
    management.keys.list({
      ...query,
      limit: page.limit + 1,
      ...(page.after !== undefined && { after: page.after }),
    }),
    management.now(),
  ]);
  return respondPage(context, page, keys, {
    address: `${baseUrl}${KIND_TEXTS[query.kind].path}`,
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
  const { path } = KIND_TEXTS[fields.role === null ? 'client' : 'management'];
  const headers = { Location: `${baseUrl}${path}/${made.principal.key.id}` };
  return respondJson(context, 201, madeKeyJson(made), headers);
}

/** @throws OperatorError `validation_failed` for a time that is not in the future. */
export function expiryOf(text: string | undefined, nowMs: number): number | undefined {
  const atMs = text === undefined ? undefined : parseTimestamp(text);
  if (atMs === undefined || atMs > nowMs) return atMs === undefined ? undefined : Math.floor(atMs);
  throw new OperatorError('expiresAt must be in the future.', { code: 'validation_failed' });
}
