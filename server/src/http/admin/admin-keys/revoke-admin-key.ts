import { revokeOperation } from '../keys/revoke-operation.ts';

export const revokeAdminKey = revokeOperation('management', { operationId: 'revokeAdminKey' });
