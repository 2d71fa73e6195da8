import type { AdminKey, Key } from '../../api/schemas.ts';
import { type Records, useRecords } from '../records/use-records.ts';

/** The API keys of all accounts, in the order of their accounts. */
export const useApiKeys = (isEnabled = true): Records<Key> =>
  useRecords(['access', 'keys'], '/keys', { isEnabled });

export const useManagementKeys = (isEnabled = true): Records<AdminKey> =>
  useRecords(['access', 'admin-keys'], '/admin-keys', { isEnabled });
