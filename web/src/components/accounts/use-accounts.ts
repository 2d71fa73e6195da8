import type { Account } from '../../api/schemas.ts';
import { useFound, useRecords } from '../records/use-records.ts';

/** The accounts of the shop, in the order of their names. */
export const useAccounts = () => useRecords<Account>(['access', 'accounts'], '/accounts');

/** The accounts that the service finds by words; none without words. */
export const useFoundAccounts = (words: string | undefined) =>
  useFound<Account>(['access', 'accounts', 'found', words], '/accounts', words);
