import type { Mutation } from '../mutation.ts';

const onDebian = ['server/test/postgres/admin/backups.long.ts'];

/** What keeps backups of PostgreSQL restorable; they need Debian's server. */
export const DUMPS: readonly Mutation[] = [
  {
    name: 'pg_dump does not check the host of the server',
    file: 'server/src/store/postgres/admin/tools.ts',
    from: "url.includes('sslrootcert=') ? checkedTls(url) : url",
    to: 'url',
    tests: ['server/test/postgres/admin/backups.test.ts'],
  },
  {
    name: 'pg_dump sends a shop in clear text to a server that says it has no TLS',
    file: 'server/src/store/postgres/admin/tools.ts',
    from: "['no-verify', 'prefer'].includes(",
    to: "['no-verify'].includes(",
    tests: ['server/test/postgres/admin/backups.test.ts'],
  },
  {
    name: 'pg_dump accepts a server without TLS where the address has only the file of an authority',
    file: 'server/src/store/postgres/admin/tools.ts',
    from: 'Boolean(authority) || own.some(Boolean) || ',
    to: '',
    tests: ['server/test/postgres/admin/backups.test.ts'],
  },
  {
    name: 'a mode of TLS makes pg print a warning of several lines',
    file: 'server/src/store/postgres/connection.ts',
    from: 'connectionString: checkedTls(url)',
    to: 'connectionString: url',
    tests: ['server/test/postgres/faults/start-up.test.ts'],
  },
  {
    name: 'a restore begins while an instance serves',
    file: 'server/src/store/restore-dump.ts',
    from: '  await refuseServed();\n',
    to: '',
    tests: onDebian,
  },
  {
    name: 'a restore commits although an instance connected meanwhile',
    file: 'server/src/store/restore-dump.ts',
    from: 'beforeCommit: refuseServed,',
    to: '',
    tests: onDebian,
  },
  {
    name: 'a service starts during a restore',
    file: 'server/src/store/restore-dump.ts',
    from: '    await engine.client.query(LOCK.schemaOfSession);\n',
    to: '',
    tests: onDebian,
  },
  {
    name: 'functions of kept tables work on the restored ones',
    file: 'server/src/store/restore-dump.ts',
    from: `    EXECUTE format('ALTER FUNCTION %s SET search_path = %I', moved.oid::regprocedure, \${to});\n`,
    to: '',
    tests: onDebian,
  },
  {
    name: 'a restore of PostgreSQL accepts a backup with a fault',
    file: 'server/src/store/restore-dump.ts',
    from: 'requireSound(backup, verified);',
    to: '',
    tests: onDebian,
  },
  {
    name: 'a restore commits before everything is filled in',
    file: 'server/src/store/postgres/admin/restore-script.ts',
    from: `BEGIN;\\n\${DURABLE_SESSION}`,
    to: `SELECT 1;\\n\${DURABLE_SESSION}`,
    tests: onDebian,
  },
  {
    name: 'a restore commits before psql has read everything',
    file: 'server/src/store/postgres/admin/restore-script.ts',
    from: '  await Promise.race([finished(statements), failed]);\n',
    to: '',
    tests: ['server/test/postgres/admin/backups.test.ts'],
  },
  {
    name: 'a killed check leaves its temporary database forever',
    file: 'server/src/store/postgres/admin/scratch-database.ts',
    from: '    await removeAbandoned(client);\n',
    to: '',
    tests: onDebian,
  },
  {
    name: 'dumps of another shop are deleted',
    file: 'server/src/store/postgres/admin/dump.ts',
    from: `\`\${environment} \${made}\``,
    to: `\`\${environment}\``,
    tests: onDebian,
  },
  {
    name: 'a backup of PostgreSQL has extensions, which its restore may not make',
    file: 'server/src/store/postgres/admin/dump.ts',
    from: `          \`--schema=\${pg.escapeIdentifier(schema)}\`,\n`,
    to: '',
    tests: onDebian,
  },
  {
    name: 'a backup of a user with a space in the name is no backup',
    file: 'server/src/store/postgres/admin/dump.ts',
    from: 'schema_migrations .+$',
    to: 'schema_migrations \\S+$',
    tests: ['server/test/postgres/admin/backups.test.ts'],
  },
  {
    name: 'a failure after the commit of a restore is a failed restore',
    file: 'server/src/store/restore-dump.ts',
    from: 'throw committed ? restoredBut(backup, engine.name, committed, error) : error;',
    to: 'throw error;',
    tests: onDebian,
  },
];
