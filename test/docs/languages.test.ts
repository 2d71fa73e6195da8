import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GENERATORS, PYTHON_REPAIR } from '../../client/test/generated-clients/generators.ts';
import { ROOT, readPage } from './pages.ts';

const SOURCE = readFileSync(join(ROOT, 'client/test/generated-clients/generators.ts'), 'utf8');

test('the quick start names each generator whose client is run, with its version and options', () => {
  const [, table = ''] =
    /^\| language \| generator \| command \|\n((?:\|.*\n)+)/m.exec(readPage('docs/quick-start.md')) ?? [];
  const rows = [...table.matchAll(/^\| (\w+) \| (\S+) (\S+) \| `(.*)` \|$/gm)];
  const named = rows.map(([, language, generator]) =>
    generator === 'openapi-generator' ? `${generator} for ${language}` : generator,
  );
  assert.deepEqual(named.toSorted(), GENERATORS.map(({ name }) => name).toSorted());
  for (const [row, , , version = '', command = ''] of rows) {
    assert.ok(SOURCE.includes(version), row);
    for (const [option] of command.matchAll(/(?<= )(?:--?[\w-]+=\S+|types,client)/g))
      assert.ok(SOURCE.includes(option), option);
  }
  assert.ok(readPage('docs/quick-start.md').includes(`\`${PYTHON_REPAIR}\``));
});
