import { getOperation } from '../keys/get-operation.ts';

export const getAdminKey = getOperation('management', { operationId: 'getAdminKey' });
