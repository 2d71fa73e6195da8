import type { Account } from '../../api/schemas.ts';
import { useRecords } from '../records/use-records.ts';

/** The accounts of the shop, in the order of their names. */
export const useAccounts = () => useRecords<Account>(['access', 'accounts'], '/accounts');
