import { rotateOperation } from '../keys/rotate-operation.ts';

export const rotateAdminKey = rotateOperation('management', { operationId: 'rotateAdminKey' });
