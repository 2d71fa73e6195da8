import type { AdminKey, Key } from '../../api/schemas.ts';
import { type Records, useFound, useRecords } from '../records/use-records.ts';

/** As of `useRecords`. */
interface KeyOptions {
  readonly isEnabled?: boolean;
  readonly ownPages?: number;
}

/** The API keys of all accounts, in the order of their accounts. */
export const useApiKeys = (options?: KeyOptions): Records<Key> =>
  useRecords(['access', 'keys'], '/keys', options);

export const useManagementKeys = (options?: KeyOptions): Records<AdminKey> =>
  useRecords(['access', 'admin-keys'], '/admin-keys', options);

/** The API keys that the service finds by words; none without words. */
export const useFoundApiKeys = (words: string | undefined): Records<Key> =>
  useFound(['access', 'keys', 'found', words], '/keys', words);

export const useFoundManagementKeys = (words: string | undefined): Records<AdminKey> =>
  useFound(['access', 'admin-keys', 'found', words], '/admin-keys', words);
