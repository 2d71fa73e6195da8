import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import type {
  AdminKey,
  AdminKeyCreation,
  CreatedAdminKey,
  CreatedKey,
  Key,
  KeyCreation,
  KeyRotation,
  RotatedAdminKey,
  RotatedKey,
} from '../../../api/schemas.ts';

/** Keys of clients work below `/v1`, management keys below `/admin/v1`. */
export type KeyKind = 'client' | 'management';
export type AnyKey = Key | AdminKey;

export const PATHS: Readonly<Record<KeyKind, string>> = { client: '/keys', management: '/admin-keys' };
const at = (kind: KeyKind, keyId: string) => `${PATHS[kind]}/${encodeURIComponent(keyId)}`;

export const useKey = (kind: KeyKind, keyId: string) =>
  useQuery({
    queryKey: ['access', 'key', kind, keyId],
    queryFn: ({ signal }) => api<AnyKey>('GET', at(kind, keyId), { signal }),
  });

export const createApiKey = (body: KeyCreation) => api<CreatedKey>('POST', '/keys', { body });
export const createManagementKey = (body: AdminKeyCreation) =>
  api<CreatedAdminKey>('POST', '/admin-keys', { body });
export const rotateKey = (kind: KeyKind, keyId: string, body: KeyRotation) =>
  api<RotatedKey | RotatedAdminKey>('POST', `${at(kind, keyId)}/rotate`, { body });
export const revokeKey = (kind: KeyKind, keyId: string) => api<AnyKey>('POST', `${at(kind, keyId)}/revoke`);
