import { rotateOperation } from './rotate-operation.ts';

export const rotateKey = rotateOperation('client', { operationId: 'rotateKey' });
