import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { run, temporaryFolder } from '../command-line.ts';
import type { Ended } from '../command-process.ts';
import { RUN_LONG_TESTS } from '../long-test.ts';
import { machineEnvironment } from '../machine-environment.ts';
import { until } from '../until.ts';
import { groupsOf } from './groups.ts';
import { hasLongTests, ROOT, TEST_FOLDERS, testsOf, testsOfWords } from './test-folders.ts';

const PROGRAM = new URL('./run-groups.ts', import.meta.url).href;
const PASSES = "import { test } from 'node:test';\ntest('passes', () => {});\n";
const FAILS = `${PASSES}test('fails', () => {\n  throw new Error('planted');\n});\n`;

/** Runs test files with these contents in one process. */
function runFiles(
  t: TestContext,
  contents: Readonly<Record<string, string>>,
  variables: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const { folder, program } = programOf(t, contents);
  return run(process.execPath, [program], folder, { ...machineEnvironment(), ...variables });
}

function programOf(t: TestContext, contents: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'inner'));
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
  const words = [JSON.stringify([Object.keys(contents)]), JSON.stringify({ folder })];
  const program = join(folder, 'program.mjs');
  writeFileSync(
    program,
    `import { runGroups } from '${PROGRAM}';\nprocess.exitCode = (await runGroups(${words.join()})) ? 0 : 1;\n`,
  );
  return { folder, program };
}

test('a run that is killed leaves no modules', async (t) => {
  // It ends with the run, whose death changes its parent.
  const hangs = `import { test } from 'node:test';\nconst parent = process.ppid;\ntest('hangs', () => new Promise(() => setInterval(() => process.ppid === parent || process.exit(), 50)));\n`;
  const { program } = programOf(t, { 'hangs.test.mjs': hangs });
  const temporary = temporaryFolder(t);
  const child = spawn(process.execPath, [program], {
    env: { ...machineEnvironment(), TMPDIR: temporary },
    stdio: 'ignore',
  });
  t.after(() => child.kill('SIGKILL'));
  const foldersOf = () => readdirSync(temporary).filter((name) => name.startsWith('petstore-groups-'));
  // It watches the folder before it writes the modules.
  await until(() => foldersOf().some((name) => readdirSync(join(temporary, name)).length > 0), 'modules');
  child.kill('SIGKILL');
  await until(() => foldersOf().length === 0, 'no modules');
});

test('files of one process pass together, and their hooks run around their own tests', async (t) => {
  const first = `import { after, before } from 'node:test';\nbefore(() => { globalThis.inFirst = true; });\nafter(() => { delete globalThis.inFirst; });\n${PASSES}test('has its hook', (t) => t.assert.ok(globalThis.inFirst));\n`;
  // It declares its tests when those of the first file run.
  const second = `import { setTimeout } from 'node:timers/promises';\n${PASSES.replace('test(', 'await setTimeout(100);\ntest(')}test('has no hook', (t) => t.assert.ok(!globalThis.inFirst));\n`;
  const { code, stdout } = await runFiles(t, { 'first.test.mjs': first, 'inner/second.test.mjs': second });
  assert.match(stdout, /^4 tests, 4 passed, 0 failed, 0 cancelled, 0 skipped in \d+ s\n$/);
  assert.equal(code, 0);
});

test('a long test is skipped daily, and runs where it is wanted', async (t) => {
  const long = new URL('../long-test.ts', import.meta.url).href;
  const content = `import { isSkippedDaily } from '${long}';\n${FAILS.replace('() => {\n  throw', '(t) => {\n  if (isSkippedDaily(t)) return;\n  throw')}`;
  const daily = await runFiles(t, { 'long.test.mjs': content });
  assert.match(daily.stdout, /^2 tests, 1 passed, 0 failed, 0 cancelled, 1 skipped in/);
  assert.equal(daily.code, 0);
  const whole = await runFiles(t, { 'long.test.mjs': content }, { [RUN_LONG_TESTS]: '1' });
  assert.match(whole.stdout, /^2 tests, 1 passed, 1 failed, 0 cancelled, 0 skipped in/m);
  assert.equal(whole.code, 1);
});

test('long tests run with their file or by request, and a run without tests is no success', () => {
  const file = 'web/test/pet.test.ts';
  assert.deepEqual(testsOfWords([file, file]), { files: [file], isLong: true });
  const daily = testsOfWords([]);
  assert.deepEqual([daily.isLong, daily.files.length], [false, new Set(DAILY).size]);
  const long = testsOfWords(['--long', 'web/test']);
  assert.ok(long.isLong && long.files.includes(file) && !long.files.includes('web/test/docs.test.ts'));
  assert.throws(() => testsOfWords(['--long', 'web/test/docs.test.ts']), /no long tests in web/);
  assert.throws(() => testsOfWords(['web/test', file]), /Name files, of which all tests run, or folders/);
});

test('ten of more files are named at the end, the slowest first', async (t) => {
  const waits =
    "import { test } from 'node:test';\ntest('waits', () => new Promise((resolve) => { setTimeout(resolve, 300); }));\n";
  const passing = Array.from({ length: 10 }, (_, i) => [`${i}.test.mjs`, PASSES] as const);
  const { code, stdout } = await runFiles(t, { ...Object.fromEntries(passing), 'waits.test.mjs': waits });
  assert.equal(code, 0);
  const [, title, ...lines] = stdout.trimEnd().split('\n');
  assert.equal(title, 'slowest files:');
  const seconds = lines.map((line) => Number(/^ +(\d+\.\d) s {2}\w+\.test\.mjs$/.exec(line)?.[1]));
  assert.equal(seconds.length, 10);
  assert.deepEqual(
    seconds,
    seconds.toSorted((a, b) => b - a),
  );
  assert.match(stdout, / s {2}waits\.test\.mjs\n/);
});

const FAILURES: readonly (readonly [string, string, RegExp])[] = [
  ['that fails is named with its line', FAILS, /✖ fails \(.*bad\.test\.mjs:3\)\nError: planted/],
  [
    'whose error has causes is named with them',
    "import { test } from 'node:test';\ntest('fails', () => {\n  throw new Error('above', { cause: new Error('planted') });\n});\n",
    /Error: above\n +at .*\nCaused by Error: planted\n +at /s,
  ],
  [
    'that cannot be loaded is named with its error',
    "import './nowhere.mjs';\n",
    /✖ bad\.test\.mjs .*\nError.*nowhere/,
  ],
  [
    'that fails while it is loaded is named',
    "throw new Error('planted');\n",
    /✖ bad\.test\.mjs .*\nError: planted/,
  ],
  [
    'with an error after its end is named with that error',
    "import { test } from 'node:test';\ntest('ends early', () => { setTimeout(() => Promise.reject(new Error('planted')), 20); });\ntest('waits', () => new Promise((resolve) => { process.once('unhandledRejection', resolve); }));\n",
    /^(?=.*Error: planted\n +at .*bad\.test\.mjs:2:)(?=.*✖ Error: .*generated asynchronous activity).*ended with code 1/s,
  ],
  ['without tests is no success', '', /No result of bad\.test\.mjs/],
  [
    'that ends its process is no success',
    "import { test } from 'node:test';\ntest('exits', () => process.exit(0));\n",
    /No result of .*bad\.test\.mjs, after\.test\.mjs/,
  ],
];

for (const [title, content, message] of FAILURES) {
  test(`a test file ${title}`, async (t) => {
    const contents = { 'before.test.mjs': PASSES, 'bad.test.mjs': content, 'after.test.mjs': PASSES };
    const { code, stdout } = await runFiles(t, contents);
    assert.match(stdout, message);
    assert.equal(code, 1);
  });
}

const DAILY = TEST_FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: ROOT }));

test('each file is in one group, and those that measure memory are alone', () => {
  const groups = groupsOf(DAILY);
  assert.deepEqual(groups.flat().toSorted(), DAILY.toSorted());
  const alone = groups.filter(({ length }) => length === 1).flat();
  const measuring = DAILY.filter((file) =>
    /process\.memoryUsage\b/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  assert.ok(measuring.length >= 5);
  assert.deepEqual(
    measuring.filter((file) => !alone.includes(file)),
    [],
  );
  assert.ok(alone.includes('server/test/race/certificate.test.ts'));
});

test('files that use a browser are in two processes, and files that choose an engine in two others', () => {
  const groups = groupsOf(DAILY);
  for (const [isMember, name] of [
    [(text: string) => /support\/browser\.ts'/.test(text), 'web/test/pet.test.ts'],
    [
      (text: string) => /\b(?:runOnPostgres|useEngineInProcess)\(/.test(text),
      'server/test/postgres/contract.test.ts',
    ],
  ] as const) {
    const members = DAILY.filter((file) => isMember(readFileSync(join(ROOT, file), 'utf8')));
    const own = groups.filter((files) => files.some((file) => members.includes(file)));
    assert.ok(members.includes(name));
    assert.equal(own.length, 2);
    assert.deepEqual(own.flat().toSorted(), members.toSorted());
  }
});

test('each file with tests that PostgreSQL does not run daily runs whole on it in the long tests', () => {
  const textsOf = (pattern: string) =>
    globSync(`server/test/postgres/**/${pattern}`, { cwd: ROOT })
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .filter((text) => text.includes("/on-postgres.ts'"))
      .join('');
  const [daily, long] = [textsOf('*.test.ts'), textsOf('*.long.ts')];
  const nameOf = (file: string) => `'${file.replace('server/test/', '').replace('.test.ts', '')}'`;
  const isPartly = (file: string) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return /= testOnceIn\(\)/.test(text) || (hasLongTests(file) && daily.includes(nameOf(file)));
  };
  const partly = DAILY.filter(isPartly);
  assert.ok(partly.length >= 30);
  assert.deepEqual(
    partly.filter((file) => !long.includes(nameOf(file))),
    [],
  );
});

test('a suite waits for nothing but modules of tests, because its promises are followed as long as those load', () => {
  const waiting = DAILY.filter((file) => /describe\(.*async/.test(readFileSync(join(ROOT, file), 'utf8')));
  assert.deepEqual(waiting, []);
});

test('files of one process close what they share when all of them have ended', async (t) => {
  const shared = new URL('./at-process-end.ts', import.meta.url).href;
  const share = `globalThis.events ??= [];\nif (globalThis.events.push('loaded') === 1) atProcessEnd(() => { console.error(globalThis.events.join()); });\n`;
  const content = `import { atProcessEnd } from '${shared}';\nimport { test } from 'node:test';\n${share}test('runs', () => { globalThis.events.push('ran'); });\n`;
  const { code, stdout } = await runFiles(t, { 'first.test.mjs': content, 'second.test.mjs': content });
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^loaded,loaded,ran,ran$/m);
});

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('the processes of a run that is killed end too', async (t) => {
  const service = new URL('../../blackbox/service.ts', import.meta.url).href;
  const pids = join(temporaryFolder(t), 'pids');
  const content = `import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { startService } from '${service}';
test('waits', async (t) => {
  const { pid } = await startService(t);
  writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + pid);
  process.kill(process.ppid, 'SIGKILL');
  await new Promise((resolve) => setInterval(resolve, 300_000));
});
`;
  const { code } = await runFiles(t, { 'killed.test.mjs': content });
  assert.equal(code, null, 'the run was killed');
  const started = readFileSync(pids, 'utf8').split(' ').map(Number);
  assert.equal(started.length, 2);
  await until(() => !started.some(isRunning), 'no process is left');
});

test('the tests that CONTRIBUTING.md names are there, and a misspelt name is no success', () => {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const names = [...text.matchAll(/`npm test -- (?:--long )?([^`]+)`/g)].flatMap(([, one = '']) =>
    one.split(' '),
  );
  assert.ok(names.length >= 5, names.join(' '));
  for (const name of names) assert.ok(testsOf(name).length > 0, name);
  for (const wrong of ['web/tests', 'http/openapi.test.ts']) {
    assert.throws(() => testsOf(wrong), { message: /^There are no tests in / });
  }
});
