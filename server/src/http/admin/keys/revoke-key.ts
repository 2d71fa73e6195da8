import { revokeOperation } from './revoke-operation.ts';

export const revokeKey = revokeOperation('client', { operationId: 'revokeKey' });
