import type { KeyKind } from '../../../domain/access/api-key.ts';
import { AdminKeySchema, KeySchema, RotatedAdminKeySchema, RotatedKeySchema } from './key-schema.ts';

interface KindText {
  readonly tag: string;
  readonly path: string;
  readonly noun: string;
  /** What a rotated key keeps besides its name. */
  readonly kept: string;
  readonly schema: typeof KeySchema | typeof AdminKeySchema;
  readonly rotated: typeof RotatedKeySchema | typeof RotatedAdminKeySchema;
}

/** How the operations on keys of the two kinds differ. */
export const KIND_TEXTS: Readonly<Record<KeyKind, KindText>> = {
  client: {
    tag: 'Keys',
    path: '/keys',
    noun: 'API key',
    kept: 'the scopes',
    schema: KeySchema,
    rotated: RotatedKeySchema,
  },
  management: {
    tag: 'Management keys',
    path: '/admin-keys',
    noun: 'management key',
    kept: 'the role',
    schema: AdminKeySchema,
    rotated: RotatedAdminKeySchema,
  },
};

/** Such as `an API key`. */
export function nounWithArticle(noun: string): string {
  return `${/^[AEIOU]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
