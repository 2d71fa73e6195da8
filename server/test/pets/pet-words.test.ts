import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesQuery, petWords, queryWords, wordChanges } from '../../src/domain/management/pet-words.ts';
import { assertLinear } from '../fuzz/hostile/cpu-time.ts';

const wordsOf = (name: string, category: string | null = null) => petWords({ name, category });

test('words are runs of letters and digits, in one spelling', () => {
  const spellings: readonly (readonly [string, readonly string[]])[] = [
    ['Rex the 2nd', ['rex', 'the', '2nd']],
    ['  --rex__REX.. ', ['rex']],
    ['Äpfel', ['apfel']],
    ['A\u0308pfel', ['apfel']],
    ['Crème brûlée', ['creme', 'brulee']],
    ['Straße', ['strasse']],
    ['STRASSE', ['strasse']],
    ['ΟΔΥΣΣΕΥΣ', ['οδυσσευσ']],
    ['İstanbul', ['istanbul']],
    ['Kadıköy', ['kadikoy']],
    ['ﬁsh', ['fish']],
    ['ｒｅｘ', ['rex']],
    ['x²', ['x2']],
    ['猫 ねこ', ['猫', 'ねこ']],
    ['קיטי', ['קיטי']],
    ['\u202Ekitty\u202C', ['kitty']],
    ['🐶', []],
    ['🐶Rex🐶Max', ['rex', 'max']],
    ['\uD83D Rex \uDC36', ['rex']],
    ["100%_ O'Hara", ['100', 'o', 'hara']],
    ['', []],
  ];
  for (const [text, words] of spellings) assert.deepEqual(wordsOf(text), words, JSON.stringify(text));
  assert.deepEqual(petWords({ name: 'Rex', category: 'Dogs rex' }), ['rex', 'dogs']);
  assert.deepEqual(petWords({ name: null, category: null }), []);
});

test('a pet has at most 16 words of 32 characters', () => {
  const numbers = Array.from({ length: 40 }, (_, i) => `w${i}`);
  assert.deepEqual(wordsOf(numbers.join(' ')), numbers.slice(0, 16));
  assert.deepEqual(wordsOf('x'.repeat(200)), ['x'.repeat(32)]);
  // Letters beyond the Basic Multilingual Plane are never cut in half.
  assert.deepEqual(wordsOf('𐐨'.repeat(40)), ['𐐨'.repeat(32)]);
});

test('a query has the words that matter', () => {
  assert.deepEqual(queryWords('Rex re rexy'), ['rexy']);
  assert.deepEqual(queryWords('red rex'), ['red', 'rex']);
  assert.deepEqual(queryWords(' % _ * '), []);
  assert.ok(queryWords('a b c d e f g h i j k l m n o p q r s t u v').length <= 16);
  const long = 'y'.repeat(300);
  assert.ok(matchesQuery(wordsOf(long), queryWords(long)));
  assert.ok(matchesQuery(['rex', 'dogs'], queryWords('do re')));
  assert.ok(!matchesQuery(['rex', 'dogs'], queryWords('ogs')));
});

test('changes of the words of a pet', () => {
  const changes = wordChanges({ name: 'Old Rex', category: 'Dogs' }, { name: 'Rex', category: 'Hounds' });
  assert.deepEqual(changes, { added: ['hounds'], removed: ['old', 'dogs'] });
});

test('splitting a text takes time in proportion to its length', async () => {
  const hostile = ['ﷺ', 'a\u0301', '\u0301', 'İ', '-', 'a-', '𐐨', '\uD83D'];
  for (const piece of hostile) {
    await assertLinear(JSON.stringify(piece), 20_000, (length) =>
      wordsOf(piece.repeat(length / piece.length)),
    );
  }
});
