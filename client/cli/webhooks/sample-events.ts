// Written by "npm run openapi" with the functions of the service that write its events.

/** The moment of all samples. */
export const SAMPLE_TIME = '2026-07-01T12:00:30.000Z';

/** The `data` of a message of each type. */
export const SAMPLES: Readonly<Record<string, string>> = {
  'inventory.changed':
    '{"sequence":815,"petId":7,"version":12,"kind":"adjust","delta":-2,"quantityBefore":14,"quantityAfter":12,"statusBefore":"available","statusAfter":"available","reservedBefore":0,"reservedAfter":0,"alertBefore":null,"alertAfter":null,"alert":null,"orderId":null,"reason":"sold","note":null,"referenceDocumentUri":null,"referenceId":"receipt-17","occurredAt":null,"recordedAt":"2026-07-01T12:00:30.000Z","actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"},"requestId":"mxmjw-up-2s","revertedSequence":null,"previousSequence":790,"hash":"207d271c493fea932e55ab52c7dc7e40eb2742c3a1625fac3defa01b19c54597"}',
  'inventory.low':
    '{"sequence":815,"petId":7,"version":12,"kind":"adjust","delta":-2,"quantityBefore":6,"quantityAfter":4,"statusBefore":"available","statusAfter":"available","reservedBefore":0,"reservedAfter":0,"alertBefore":null,"alertAfter":"low","alert":"low","orderId":null,"reason":"sold","note":null,"referenceDocumentUri":null,"referenceId":"receipt-17","occurredAt":null,"recordedAt":"2026-07-01T12:00:30.000Z","actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"},"requestId":"mxmjw-up-2s","revertedSequence":null,"previousSequence":790,"hash":"66c0c3ffddc977d9d1c6dcb9026e34c73085e7031497757d8f0d96e714abe8de"}',
  'inventory.out':
    '{"sequence":815,"petId":7,"version":12,"kind":"adjust","delta":-2,"quantityBefore":2,"quantityAfter":0,"statusBefore":"available","statusAfter":"available","reservedBefore":0,"reservedAfter":0,"alertBefore":"low","alertAfter":"out","alert":"out","orderId":null,"reason":"sold","note":null,"referenceDocumentUri":null,"referenceId":"receipt-17","occurredAt":null,"recordedAt":"2026-07-01T12:00:30.000Z","actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"},"requestId":"mxmjw-up-2s","revertedSequence":null,"previousSequence":790,"hash":"9648f70b0accb74172e093a885d6732d61cede098b8705c9dab06f96dc344973"}',
  'inventory.back':
    '{"sequence":815,"petId":7,"version":12,"kind":"adjust","delta":20,"quantityBefore":0,"quantityAfter":20,"statusBefore":"available","statusAfter":"available","reservedBefore":0,"reservedAfter":0,"alertBefore":"out","alertAfter":null,"alert":"back","orderId":null,"reason":"received","note":null,"referenceDocumentUri":null,"referenceId":null,"occurredAt":null,"recordedAt":"2026-07-01T12:00:30.000Z","actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"},"requestId":"mxmjw-up-2s","revertedSequence":null,"previousSequence":790,"hash":"2807cdeee68adc0abe2d035a4ee03796f5f4b1c45fdf6318ebe627789c4e1139"}',
  'inventory.oversold':
    '{"sequence":815,"petId":7,"version":12,"kind":"adjust","delta":-2,"quantityBefore":3,"quantityAfter":1,"statusBefore":"available","statusAfter":"available","reservedBefore":2,"reservedAfter":2,"alertBefore":null,"alertAfter":"oversold","alert":"oversold","orderId":null,"reason":"damaged","note":null,"referenceDocumentUri":null,"referenceId":null,"occurredAt":null,"recordedAt":"2026-07-01T12:00:30.000Z","actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"},"requestId":"mxmjw-up-2s","revertedSequence":null,"previousSequence":790,"hash":"c375f4593ba52bd9e14d89c57c35c51b0f394612e55c7af012ba372b3ad4774e"}',
  'order.placed':
    '{"order":{"orderId":17,"status":"placed","version":1,"lines":[{"petId":7,"quantity":2,"delivered":0,"returned":0,"reserved":2}],"referenceId":"web-1002","note":null,"expiresAt":"2026-07-01T12:00:30.000Z","createdAt":"2026-07-01T12:00:30.000Z","updatedAt":"2026-07-01T12:00:30.000Z","actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"}},"actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"}}',
  'order.approved':
    '{"order":{"orderId":17,"status":"approved","version":2,"lines":[{"petId":7,"quantity":2,"delivered":0,"returned":0,"reserved":2}],"referenceId":"web-1002","note":null,"expiresAt":null,"createdAt":"2026-07-01T12:00:30.000Z","updatedAt":"2026-07-01T12:00:30.000Z","actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"}},"actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"}}',
  'order.delivered':
    '{"order":{"orderId":17,"status":"delivered","version":3,"lines":[{"petId":7,"quantity":2,"delivered":2,"returned":0,"reserved":0}],"referenceId":"web-1002","note":null,"expiresAt":null,"createdAt":"2026-07-01T12:00:30.000Z","updatedAt":"2026-07-01T12:00:30.000Z","actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"}},"actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"}}',
  'order.cancelled':
    '{"order":{"orderId":17,"status":"cancelled","version":2,"lines":[{"petId":7,"quantity":2,"delivered":0,"returned":0,"reserved":0}],"referenceId":"web-1002","note":null,"expiresAt":"2026-07-01T12:00:30.000Z","createdAt":"2026-07-01T12:00:30.000Z","updatedAt":"2026-07-01T12:00:30.000Z","actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"}},"actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"}}',
  'order.expired':
    '{"order":{"orderId":17,"status":"expired","version":2,"lines":[{"petId":7,"quantity":2,"delivered":0,"returned":0,"reserved":0}],"referenceId":"web-1002","note":null,"expiresAt":"2026-07-01T12:00:30.000Z","createdAt":"2026-07-01T12:00:30.000Z","updatedAt":"2026-07-01T12:00:30.000Z","actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"}},"actor":{"keyId":null,"name":"service"}}',
  'order.returned':
    '{"order":{"orderId":17,"status":"delivered","version":4,"lines":[{"petId":7,"quantity":2,"delivered":2,"returned":1,"reserved":0}],"referenceId":"web-1002","note":null,"expiresAt":null,"createdAt":"2026-07-01T12:00:30.000Z","updatedAt":"2026-07-01T12:00:30.000Z","actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"}},"actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till"}}',
  'api_key.banned':
    '{"accountId":"acc_4fQ2n8Zk1bXw0aLr","keyId":"key_4fQ2n8Zk1bXw0aLr","hint":"psk_live_…aLr","level":1,"bannedAt":"2026-07-01T12:00:30.000Z","endsAt":"2026-07-01T12:05:30.000Z"}',
  'quota.reached':
    '{"accountId":"acc_4fQ2n8Zk1bXw0aLr","percent":80,"limit":10000,"used":8000,"windowEndsAt":"2026-07-02T00:00:00.000Z"}',
  'webhook_endpoint.paused':
    '{"id":"whe_4fQ2n8Zk1bXw0aLr","url":"https://hooks.example.com/petstore","pauseReason":"failing","pausedAt":"2026-07-01T12:00:30.000Z"}',
  'webhook.test':
    '{"endpointId":"whe_4fQ2n8Zk1bXw0aLr"}',
};
