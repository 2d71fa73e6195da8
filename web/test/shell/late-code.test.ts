import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LateCode, LateCodeError, loadAllCode, reloadFailedCode } from '../../src/loading/late-code.ts';

/** Code whose import fails while `isLost`. */
function lateCode() {
  const network = { isLost: true, imports: 0 };
  const code = new LateCode(async () => {
    network.imports += 1;
    if (network.isLost) throw new TypeError('Failed to fetch dynamically imported module');
    return 'the module';
  });
  return { network, code };
}

test('code that failed to load keeps its failure until it is loaded again', async () => {
  const { network, code } = lateCode();
  const first = code.read();
  await assert.rejects(first, LateCodeError);
  assert.equal(
    code.read(),
    first,
    'a component that is drawn again gets the same failure, not another attempt',
  );
  assert.equal(await reloadFailedCode(), false);
  assert.equal(network.imports, 2);
  network.isLost = false;
  assert.equal(await reloadFailedCode(), true);
  assert.equal(await code.read(), 'the module');
  await code.load();
  assert.equal(network.imports, 3, 'loaded code is not imported again');
});

test('all code is loaded in turn, again after a failure, and not without a connection', async () => {
  const { network, code } = lateCode();
  const inner: LateCode<string>[] = [];
  const outer = new LateCode(async () => {
    // Its place is after the code that fails.
    inner.push(new LateCode(async () => 'a chart of the page'));
    return 'a page';
  });
  await loadAllCode(async () => false);
  assert.equal(network.imports, 0);
  await loadAllCode(async () => true);
  assert.equal(network.imports, 1, 'a failure does not end the loop');
  assert.equal(inner.length, 1, 'the page after it is loaded');
  assert.equal(await outer.read(), 'a page');
  const attempt = inner[0]?.read();
  assert.equal(await attempt, 'a chart of the page');
  network.isLost = false;
  await loadAllCode(async () => true);
  assert.equal(await code.read(), 'the module');
  assert.equal(inner.length, 1);
});

test('code of a rare part is loaded when it is needed, and not with all code', async () => {
  let imports = 0;
  const rare = new LateCode(async () => (imports += 1), { isForAll: false });
  const other = lateCode();
  other.network.isLost = false;
  await loadAllCode(async () => true);
  assert.deepEqual([imports, other.network.imports], [0, 1]);
  assert.equal(await rare.read(), 1);
});
