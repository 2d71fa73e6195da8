import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIGRATIONS as POSTGRES } from '../../src/store/postgres/admin/migrations.ts';
import { type Migration, migrationChecksum } from '../../src/store/schema/migrations.ts';
import { MIGRATIONS as SQLITE } from '../../src/store/sqlite/migrations.ts';

/** The checksums that databases have of the schema before codes, stock-takes and changes of many pets. */
const FIRST: readonly (readonly [readonly Migration[], string])[] = [
  [SQLITE, '58bab73035115fe090195eaba86f15cbdf50dc0ae126e3ddb0bafe9ea300dde1'],
  [POSTGRES, 'c574c3fa76267aee1eeca4d7e22e308e571af97d32b0908ee7ee78d1b1c9bcac'],
];

test('the first migration stays as databases have it: a change of the schema is another migration', () => {
  for (const [migrations, checksum] of FIRST) {
    const [first] = migrations;
    assert.equal(first && migrationChecksum(first), checksum);
    assert.deepEqual(
      migrations.map(({ version }) => version),
      migrations.map((_, i) => i + 1),
    );
  }
});
