import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { isSkippedOnBun } from '../support/long-test.ts';

const moduleOf = (name: string) => JSON.stringify(new URL(`../../src/${name}.ts`, import.meta.url).href);

/** Runs statements as the first process of a container does, and sends a signal after each line of them. */
async function signalled(t: TestContext, statements: string) {
  const source = `import { endBySignals } from ${moduleOf('process/end-by-signals')};
import { cleanedUp } from ${moduleOf('store/cleaned-up')};
endBySignals(true);
setInterval(() => {}, 1_000_000);
${statements}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (text.includes('signal\n')) child.kill('SIGTERM');
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, printed };
}

test('a signal ends the first process of a container, where nothing else handles it', async (t) => {
  if (isSkippedOnBun(t, 'it has other words for a module in the command line')) return;
  if (process.platform === 'win32') return;
  assert.deepEqual(await signalled(t, `console.log('signal');`), {
    code: 143,
    signal: null,
    printed: 'signal\n',
  });
});

test('it ends when all have cleaned up, and a service by its second signal', async (t) => {
  if (isSkippedOnBun(t, 'it has other words for a module in the command line')) return;
  if (process.platform === 'win32') return;
  const cleaning = `const cleaning = (name, ms, work) => cleanedUp(work, () => new Promise((resolve) => {
  setTimeout(() => { console.log(name); resolve(); }, ms);
}));
cleaning('outer', 50, () => cleaning('inner', 1, () => { console.log('signal'); return new Promise(() => {}); }));`;
  assert.deepEqual(await signalled(t, cleaning), {
    code: 143,
    signal: null,
    printed: 'signal\ninner\nouter\n',
  });
  const graceful = `process.once('SIGTERM', () => console.log('stopping, signal'));
console.log('signal');`;
  assert.deepEqual(await signalled(t, graceful), {
    code: 143,
    signal: null,
    printed: 'signal\nstopping, signal\n',
  });
});
