import { parseArgs, styleText } from 'node:util';
import type { Mutation } from './mutation.ts';
import { ALL_MUTATIONS } from './mutations.ts';
import { Sandbox, type Verdict } from './sandbox.ts';

const HELP = `npm run mutate -- [--only TEXT]... [--jobs N] [--list]

Breaks the service on purpose, one edit at a time, each in a temporary copy, and runs the tests that must notice.
Ends with 1 when a broken service passes its tests, or an edit does not fit the source any more.

  --only TEXT  only mutations whose name or file has this text
  --jobs N     so many at the same time (2)
  --list       print the mutations and run nothing
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: '2' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const jobs = Number(values.jobs);
// Without a sandbox no mutation would run, and none would survive.
if (!Number.isInteger(jobs) || jobs < 1) throw new RangeError('--jobs is a number of 1 or more.');

const chosen = ALL_MUTATIONS.filter(
  ({ name, file }) =>
    values.only.length === 0 || values.only.some((text) => name.includes(text) || file.includes(text)),
);

if (values.help) process.stdout.write(HELP);
else if (values.list) for (const { name, file } of chosen) process.stdout.write(`${file}: ${name}\n`);
else process.exitCode = (await runAll(chosen)) ? 0 : 1;

/** Returns whether every mutation was killed. */
async function runAll(mutations: readonly Mutation[]): Promise<boolean> {
  const failures: string[] = [];
  // A test that fails anyway would kill every mutation.
  await inSandboxes(jobs, new Set(mutations.flatMap(({ tests }) => tests)), async (sandbox, file) => {
    const failure = await sandbox.run([file]);
    if (failure !== undefined) failures.push(`${file} fails on the unmodified service: ${failure}`);
  });
  await inSandboxes(jobs, mutations, async (sandbox, mutation) => {
    const verdict = await sandbox.judge(mutation).catch(String);
    if (typeof verdict === 'string' || !verdict.isKilled) failures.push(`not killed: ${mutation.name}`);
    print(mutation, verdict);
  });
  process.stdout.write(`\n${mutations.length} mutations, ${failures.length} failures\n`);
  for (const failure of failures) process.stdout.write(styleText('red', `${failure}\n`));
  return failures.length === 0 && mutations.length > 0;
}

/** Runs work for each item, some concurrently, each in an exclusive sandbox. */
async function inSandboxes<T>(
  count: number,
  items: Iterable<T>,
  work: (sandbox: Sandbox, item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const workInOne = async () => {
    const sandbox = await Sandbox.make();
    try {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(sandbox, item);
    } finally {
      await sandbox.remove();
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, waiting.length) }, workInOne));
}

function print({ name, file }: Mutation, verdict: Verdict | string): void {
  if (typeof verdict === 'string') process.stdout.write(`${styleText('red', 'unfit   ')} ${verdict}\n`);
  else if (verdict.isKilled)
    process.stdout.write(
      `${styleText('green', 'killed  ')} ${file}: ${name}\n           by: ${verdict.by}\n`,
    );
  else process.stdout.write(`${styleText('red', 'SURVIVED')} ${file}: ${name}\n`);
}
