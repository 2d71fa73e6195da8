import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRedo, newestUndo, readChain } from '../../src/pages/imports/undo-chain.ts';

/** Each import undoes the one before it; with `isCycle`, the first one undoes the last one too. */
function chain(length: number, isCycle = false) {
  const id = (place: number) => `imp_${place}`;
  const imports = Array.from({ length }, (_, place) => ({
    undoes: place > 0 ? id(place - 1) : isCycle ? id(length - 1) : null,
    undoneBy: place < length - 1 ? id(place + 1) : isCycle ? id(0) : null,
    badRows: 0,
  }));
  const find = (importId: string) => imports[Number(importId.slice(4))];
  return { imports, find, read: async (importId: string) => find(importId) };
}

test('what undoes an undo is a redo, and the last import of a chain is its newest undo', async () => {
  const { imports, find, read } = chain(4);
  assert.deepEqual(
    imports.map((one) => isRedo(one, find)),
    [false, false, true, false],
  );
  assert.deepEqual(
    imports.map((one) => newestUndo(one, find)?.id),
    ['imp_3', 'imp_3', 'imp_3', undefined],
  );
  assert.deepEqual(
    imports.map((one) => newestUndo(one, find)?.share),
    ['all', 'none', 'all', undefined],
  );
  assert.deepEqual([...(await readChain('imp_1', read, 'undoneBy')).keys()], ['imp_1', 'imp_2', 'imp_3']);
  // One that is not kept any more ends the chain.
  const gone = async () => undefined;
  assert.deepEqual([...(await readChain('imp_1', gone, 'undoes'))], [['imp_1', undefined]]);
});

test('imports that undo each other in an edited database end the chain', async () => {
  const { imports, find, read } = chain(3, true);
  for (const link of ['undoes', 'undoneBy'] as const)
    assert.equal((await readChain('imp_0', read, link)).size, 3, link);
  for (const one of imports) {
    assert.equal(typeof isRedo(one, find), 'boolean');
    assert.ok(newestUndo(one, find));
  }
});
