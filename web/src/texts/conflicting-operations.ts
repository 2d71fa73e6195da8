/** The operations that the present state may not allow, by method and path. A star is an id. */
export const OPERATIONS = {
  'POST /accounts': 'createAccount',
  'PATCH /accounts/*': 'updateAccount',
  'POST /keys/*/rotate': 'rotateKey',
  'POST /admin-keys/*/rotate': 'rotateAdminKey',
  'POST /pets': 'createPet',
  'DELETE /pets/*': 'deletePet',
  'POST /pets/*/archive': 'archivePet',
  'POST /bulk-changes': 'createBulkChange',
  'POST /bulk-changes/*/apply': 'applyBulkChange',
  'POST /bulk-changes/*/undo': 'undoBulkChange',
  'POST /bulk-changes/*/cancel': 'cancelBulkChange',
  'POST /imports': 'createImport',
  'DELETE /imports/*': 'deleteImport',
  'POST /imports/*/plan': 'planImport',
  'POST /imports/*/apply': 'applyImport',
  'POST /imports/*/undo': 'undoImport',
  'POST /imports/*/cancel': 'cancelImport',
  'PUT /import-mappings/*': 'setImportMapping',
  'POST /stocktakes/*/counts': 'countPet',
  'POST /stocktakes/*/close': 'closeStocktake',
  'POST /stocktakes/*/undo': 'undoStocktake',
  'POST /stocktakes/*/cancel': 'cancelStocktake',
  'POST /ledger/verify': 'verifyLedger',
  'POST /webhook-endpoints': 'createWebhookEndpoint',
  'POST /webhook-endpoints/*/rotate': 'rotateWebhookSecret',
  'POST /webhook-endpoints/*/test': 'testWebhookEndpoint',
  'POST /webhook-endpoints/*/resend': 'resendWebhookEvent',
  'PATCH /inventory/*': 'updateInventory',
  'POST /inventory/*/adjustments': 'adjustInventory',
  'POST /movements/*/revert': 'revertMovement',
  'POST /store/orders/*/deliver': 'deliverOrder',
  'POST /store/orders/*/return': 'returnOrder',
} as const;

export type Operation = (typeof OPERATIONS)[keyof typeof OPERATIONS];

/** The operation of a request, such as `DELETE /pets/5`, if it is one of these. */
export function operationOf(request: string): Operation | undefined {
  const parts = partsOf(request);
  const isMeant = ([pattern]: readonly [string, Operation]) => {
    const wanted = partsOf(pattern);
    return wanted.length === parts.length && wanted.every((part, i) => part === '*' || part === parts[i]);
  };
  return Object.entries(OPERATIONS).find(isMeant)?.[1];
}

const partsOf = (request: string): readonly string[] => request.split(/[ /]/);
