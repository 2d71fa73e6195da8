import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BAN_RULE, toleratedStrikes } from '../../src/domain/access/bans.ts';
import { readConfig } from '../../src/config.ts';
import { PLAN_LIMITS } from '../../src/domain/access/plans.ts';
import { DOCUMENT, operationsIn } from '../support/openapi-document.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PAGES = globSync(['*.md', 'docs/*.md', 'deploy/*.md', 'bench/*.md'], { cwd: ROOT });

function textOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** The fragment of a heading, as GitHub makes it. */
function fragmentsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('every link of a page leads to a file, and to a heading of it', () => {
  let links = 0;
  for (const page of PAGES) {
    for (const [, target = ''] of textOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = '', fragment] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      assert.ok(existsSync(join(ROOT, file)), `${page} links to ${target}`);
      if (fragment !== undefined)
        assert.ok(fragmentsOf(file).includes(fragment), `${page} links to ${target}`);
      links += 1;
    }
  }
  assert.ok(links > 20, `${links} links`);
});

/** Paths of the checkout, and paths within `server/src` or `server/test` in the tables about the code. */
const PATH =
  /`((?:server|docs|deploy|bench)\/[\w./*-]+|(?:cli|domain|http|listen|store)\/[\w./*-]+|app\.ts|config\.ts)`/g;

test('every file and folder that a page names exists', () => {
  let paths = 0;
  for (const page of PAGES.filter((name) => name !== 'CHANGELOG.md')) {
    for (const [, path = ''] of textOf(page).matchAll(PATH)) {
      const places = [path, join('server/src', path), join('server/test', path)];
      assert.ok(
        places.some((place) => globSync(place.replace(/\/$/, ''), { cwd: ROOT }).length > 0),
        `${page} names ${path}`,
      );
      paths += 1;
    }
  }
  assert.ok(paths > 40, `${paths} paths`);
});

test('docs/limits.md has the numbers of the plans and of the bans', () => {
  const text = textOf('docs/limits.md');
  for (const [plan, { perMinute, perDay }] of Object.entries(PLAN_LIMITS)) {
    const row = `| \`${plan}\` | ${perMinute.toLocaleString('en')} | ${perDay.toLocaleString('en')} |`;
    assert.ok(text.includes(row), row);
  }
  const strikes = Object.values(PLAN_LIMITS).map(({ perMinute }) => toleratedStrikes(perMinute));
  assert.ok(text.includes(`more than ${strikes.join(', ')} strikes`));
  assert.ok(text.includes(`| first ban | ${BAN_RULE.firstBanMs / 60_000} minutes |`));
  assert.ok(text.includes(`at most ${BAN_RULE.maxBanMs / 3_600_000} hours`));
});

test('docs/stability.md names the operations that are not stable, and no other ones', () => {
  const [, table = ''] = /^\| operations \| level \|\n((?:\|.*\n)+)/m.exec(textOf('docs/stability.md')) ?? [];
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const levels = rows.flatMap((row) => {
    const [names = '', level = ''] = row.split(' | ').map((cell) => cell.replace(/^\| /, ''));
    return names.split(', ').map((name) => [name, level.replace(/(?: until [-\d]+)?(?:;.*)?(?: \|)?$/, '')]);
  });
  const expected = operationsIn(DOCUMENT).flatMap(({ operation }) => {
    const { operationId, 'x-stability': stability, deprecated } = operation;
    if (stability === undefined && !deprecated) return [];
    return [[`\`${operationId}\``, deprecated ? 'stable, deprecated' : `\`${stability}\``]];
  });
  assert.deepEqual(levels, expected);
});

test('an operation is deprecated for at least the 12 months that docs/stability.md promises', () => {
  const { deprecatedAtMs, sunsetAtMs } = readConfig({});
  assert.ok(sunsetAtMs - deprecatedAtMs >= 365 * 86_400_000);
  assert.match(textOf('docs/stability.md'), /^3\. At least 12 months later, the sunset\./m);
  assert.ok(textOf('docs/stability.md').split('\n').length <= 61, 'at most 60 lines');
});
