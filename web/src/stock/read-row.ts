import { send } from '../api/client.ts';
import type { ManagedPet } from '../api/schemas.ts';
import { rowOfPet, type StockRow } from './stock-row.ts';

export async function readRow(petId: string): Promise<StockRow> {
  const { value, headers } = await send<ManagedPet>('GET', `/pets/${petId}`);
  return rowOfPet(value, headers.get('ETag') ?? '');
}
