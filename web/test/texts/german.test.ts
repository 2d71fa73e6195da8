import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { de } from '../../src/texts/de.ts';
import { en } from '../../src/texts/en.ts';

const TEXTS = new URL('../../src/texts/', import.meta.url);
const GLOSSARY = readFileSync(new URL('GLOSSARY.md', TEXTS), 'utf8');
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
/** Imports, types, and the names of scopes and events, which are keys. */
const NO_TEXT = /^import .*$|Texts\['\w+'\]|'[a-z_-]+[:.][a-z_-]+'(?=:)/gm;
const WORD = /[\p{L}\d]+(?:-[\p{L}\d]+)*/gu;

interface Found {
  /** The name of its file without the ending. */
  readonly area: string;
  readonly text: string;
}

/** All texts of the German files, also those of branches that no call reaches; values in them are `…`. */
const GERMAN: readonly Found[] = readdirSync(new URL('de/', TEXTS)).flatMap((name) => {
  const source = readFileSync(new URL(`de/${name}`, TEXTS), 'utf8').replaceAll(NO_TEXT, '');
  return [...source.matchAll(LITERAL)].map(([, quoted, template]) => ({
    area: name.replace('.ts', ''),
    text: (quoted ?? template ?? '')
      .replaceAll(/\$?\{[^}]*(?:\}|$)/g, '…')
      .replaceAll(String.raw`\u00A0`, '\u00A0'),
  }));
});

const wordsOf = (text: string): readonly string[] => text.match(WORD) ?? [];

/** The texts in which a check finds something, each with what it found. */
function findings(check: (found: Found) => string | undefined): readonly string[] {
  return GERMAN.flatMap((found) => {
    const fault = check(found);
    return fault === undefined ? [] : [`${found.area}: ${fault}: ${found.text}`];
  });
}

test('the texts of the German files are read', () => {
  assert.ok(GERMAN.length > 1_200, String(GERMAN.length));
});

test('no German text has a rival of a term in the glossary', () => {
  const terms = GLOSSARY.split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| English') && !line.startsWith('| -'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, english = '', german = '', not = '', areas = '']) => ({
      ...{ english, german },
      rivals: not.split(', ').map((word) => word.replace(String.raw`\*`, '*').toLowerCase()),
      areas: areas === '' ? undefined : areas.split(' '),
    }));
  assert.ok(terms.length > 50);
  const rivalOf = ({ area, text }: Found) => {
    // "ID" is the term, "Id" its rival.
    const words = wordsOf(text)
      .filter((word) => word !== 'ID' && word !== 'IDs')
      .map((word) => word.toLowerCase());
    for (const { english, rivals, areas } of terms) {
      if (areas && !areas.includes(area)) continue;
      const isRival = (word: string) =>
        rivals.some((rival) => (rival.endsWith('*') ? word.startsWith(rival.slice(0, -1)) : word === rival));
      const rival = words.find(isRival);
      if (rival !== undefined) return `“${rival}” for “${english}”`;
    }
    return undefined;
  };
  assert.deepEqual(findings(rivalOf), []);
});

/** Words that no German sentence has. */
const ENGLISH = new Set(
  (
    'the and of with are not your you this that these for to from by has have been can cannot change changes ' +
    'stock pet pets order orders key keys count counts row rows units delete save search show choose type'
  ).split(' '),
);

test('no German text is English', () => {
  const englishIn = ({ text }: Found) => wordsOf(text).find((word) => ENGLISH.has(word));
  assert.deepEqual(findings(englishIn), []);
  const [, list = ''] = GLOSSARY.split('## The same in both languages');
  const same = new Set(wordsOf(list));
  const equal: string[] = [];
  walk(en, de, (english, german, key) => {
    if (typeof german !== 'string' || english !== german) return;
    if (!wordsOf(german.replaceAll(/\{\w+\}/g, '')).every((word) => same.has(word.replaceAll(/-?\d.*/g, ''))))
      equal.push(`${key}: ${german}`);
  });
  assert.deepEqual(equal, []);
});

/** Within a sentence, or after an imperative, "Sie" addresses a person; a sentence about "they" begins with it. */
const FORMAL = /(?:[\p{L}\d,)“] |\b\p{Lu}\p{L}*en )(?:Sie|Ihnen|Ihr|Ihre[mnrs]?)(?!\p{L})/u;

test('German texts address the person as "du"', () => {
  assert.deepEqual(
    findings(({ text }) => FORMAL.exec(text)?.[0]),
    [],
  );
  assert.match('Geben Sie eine Zahl ein.', FORMAL);
  assert.match('Das ändert Ihre Liste.', FORMAL);
  assert.doesNotMatch('Prüfe die Nummer. Sie beginnt mit 4.', FORMAL);
});

const MARKS: readonly (readonly [RegExp, string])[] = [
  [/["”‚‘’]|'/, 'another quotation mark than „…“'],
  [/^[^„]*“|„[^“]*(?:„|$)/, 'a quotation mark without its other half'],
  [/\.\.\./, 'three dots for …'],
  [/ [-–] (?=\p{L})| - /u, 'a dash'],
  [/!/, 'an exclamation mark'],
  [/ {2}| [,.;:?](?!\w)/, 'a space too many'],
  [/[\d…] (?:ms|kB|MB|GB|px|mm|%|€|Stück|×)/, 'an ordinary space before a unit'],
  [/\b[zdu]\. ?[BhaU]\./, 'an abbreviation'],
];

test('the four columns of an order with returned units fit a phone', () => {
  const { ordered, reserved, delivered, returned } = de.orders;
  const words = [ordered, reserved, delivered, returned];
  assert.deepEqual(
    words.filter((word) => word.length > 10),
    [],
    'a longer one breaks inside at 360 px',
  );
});

test('German texts have the marks of German typography', () => {
  const faultOf = ({ text }: Found) => MARKS.find(([pattern]) => pattern.test(text))?.[1];
  assert.deepEqual(findings(faultOf), []);
});

test('a German text has every value that the English one has, and as many parameters', () => {
  const different: string[] = [];
  walk(en, de, (english, german, key) => {
    if (typeof english !== typeof german) different.push(`${key} has another kind`);
    if (typeof english !== 'function' || typeof german !== 'function') return;
    const [first, second] = [valuesIn(english as Sentence), valuesIn(german as Sentence)];
    // The detail is an English sentence already.
    if (key !== 'errors.withDetail' && first !== second)
      different.push(`${key}: ${first} in English, ${second} in German`);
  });
  assert.deepEqual(different, []);
});

type Sentence = (...values: readonly unknown[]) => unknown;

/** The values that a sentence shows. Counts of one are left out: a language may have a word for it. */
function valuesIn(sentence: Sentence): string {
  const value = (name: string) =>
    new Proxy(new String(`<${name}>`), {
      get: (text, member) => {
        const own: unknown = Reflect.get(text, member);
        if (typeof own === 'function') return own.bind(text) as unknown;
        // Sentences about the errors of an import take one object of named values.
        return own === undefined && typeof member === 'string' && member !== 'isOne' ? `<${member}>` : own;
      },
    });
  const text = String(sentence(...['A', 'B', 'C', 'D', 'E', 'F'].map(value)));
  return [...new Set(text.match(/<\w+>/g))].toSorted().join(' ');
}

/** Calls `visit` with the texts of each key. */
function walk(
  english: object,
  german: object,
  visit: (english: unknown, german: unknown, key: string) => void,
  path = '',
): void {
  assert.deepEqual(Object.keys(german).toSorted(), Object.keys(english).toSorted(), path);
  for (const [name, text] of Object.entries(english)) {
    const other = (german as Readonly<Record<string, unknown>>)[name];
    if (typeof text === 'object' && text !== null)
      walk(text as object, other as object, visit, `${path}${name}.`);
    else visit(text, other, `${path}${name}`);
  }
}
