import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mutated } from './mutation.ts';
import { ALL_MUTATIONS } from './mutations.ts';

test('every mutation fits the source, changes it, and names tests that exist', () => {
  const sources = new Map<string, string>();
  const here = (path: string) => new URL(`../../../${path}`, import.meta.url);
  for (const mutation of ALL_MUTATIONS) {
    const { file, name, tests } = mutation;
    const source = sources.get(file) ?? readFileSync(here(file), 'utf8');
    sources.set(file, source);
    assert.notEqual(mutated(source, mutation), source, name);
    assert.ok(tests.length > 0, name);
    for (const one of tests) assert.ok(existsSync(here(one)), `${name}: ${one}`);
  }
});

test('no two mutations have the same name', () => {
  const names = ALL_MUTATIONS.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  );
});

test('no test is to notice the same edit under two names', () => {
  const edits = ALL_MUTATIONS.flatMap(({ name, file, from, to, tests }) =>
    tests.map((one) => ({ name, edit: JSON.stringify([file, from, to, one]) })),
  );
  const twice = [...Map.groupBy(edits, ({ edit }) => edit).values()].filter(({ length }) => length > 1);
  assert.deepEqual(
    twice.map((all) => all.map(({ name }) => name)),
    [],
  );
});
