import type { Mutation } from '../mutation.ts';

const tests = ['server/test/store/backup-folder.test.ts'];

/** What keeps backups restorable, and a restore from losing a database. */
export const BACKUPS: readonly Mutation[] = [
  {
    name: 'backups of another shop are deleted',
    file: 'server/src/store/backup-folder.ts',
    from: 'shopOf(file) === shop',
    to: 'shopOf(file) !== ""',
    tests,
  },
  {
    name: 'backups that are young enough are deleted',
    file: 'server/src/store/backup-folder.ts',
    from: 'atMs < beforeMs',
    to: 'atMs < Number.MAX_VALUE',
    tests,
  },
  {
    name: 'a copy with a fault deletes older backups',
    file: 'server/src/cli/backups.ts',
    from: 'const deleted = isIntact && keep !== undefined',
    to: 'const deleted = keep !== undefined',
    tests,
  },
  {
    name: 'a check leaves its temporary folder after a signal',
    file: 'server/src/store/cleaned-up.ts',
    from: '    await cleanUp();\n    unlisten();\n    process.kill',
    to: '    unlisten();\n    process.kill',
    tests,
  },
  {
    name: 'a check leaves its temporary folder',
    file: 'server/src/store/cleaned-up.ts',
    from: '    await cleanUp();\n    unlisten();\n  }',
    to: '    unlisten();\n  }',
    tests,
  },
  {
    name: 'a killed check leaves its temporary folder forever',
    file: 'server/src/store/backup-folder.ts',
    from: '  removeAbandoned();\n  let',
    to: '  let',
    tests,
  },
  {
    name: 'a restore replaces a database without the option',
    file: 'server/src/store/restore.ts',
    from: 'if (hasDatabase(target) && !isReplaced)',
    to: 'if (hasDatabase(target) && !isReplaced && target === "")',
    tests,
  },
  {
    name: 'a restore accepts a backup with a fault',
    file: 'server/src/store/restore.ts',
    from: 'if (fault !== undefined)',
    to: 'if (fault === "")',
    tests,
  },
  {
    name: 'a restore replaces a database that a command reads',
    file: 'server/src/store/restore.ts',
    from: 'if (!isBusy(error)) return undefined;',
    to: 'if (error) return undefined;',
    tests,
  },
  {
    name: 'a restore does not check the pepper',
    file: 'server/src/cli/restore.ts',
    from: "if (pepperState(config, found.pepperCheck) === 'wrong')",
    to: "if (pepperState(config, found.pepperCheck) === 'wrong' && file === '')",
    tests,
  },
  {
    name: 'a restore does not compare the hash of --expect',
    file: 'server/src/cli/restore.ts',
    from: 'hash === undefined || hash === expect.hash',
    to: 'hash !== ""',
    tests,
  },
  {
    name: 'a raw copy with a log is taken as a backup',
    file: 'server/src/store/verified-copy.ts',
    from: '(log?.size ?? 0) > 0',
    to: '(log?.size ?? 0) < 0',
    tests,
  },
];
