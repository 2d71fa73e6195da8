import { getOperation } from './get-operation.ts';

export const getKey = getOperation('client', { operationId: 'getKey' });
