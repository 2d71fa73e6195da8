import type { Mutation } from '../mutation.ts';

/** Usage over time, events of accounts and the activity log. */
export const USAGE: readonly Mutation[] = [
  {
    name: 'usage: a minute replaces the hour and the day before it',
    file: 'server/src/store/sqlite/statements.ts',
    from: 'DO UPDATE SET requests = requests + excluded.requests`',
    to: 'DO UPDATE SET requests = excluded.requests`',
    tests: ['server/test/usage/usage-history.test.ts'],
  },
  {
    name: 'usage: on PostgreSQL a minute replaces the hour and the day before it',
    file: 'server/src/store/postgres/admin/migrations.ts',
    from: 'DO UPDATE SET requests = usage_history.requests + excluded.requests',
    to: 'DO UPDATE SET requests = excluded.requests',
    tests: ['server/test/postgres/usage/shared-usage.test.ts'],
  },
  {
    name: 'usage: on PostgreSQL a minute that continues after a step of the clock counts twice',
    file: 'server/src/store/postgres/admin/migrations.ts',
    from: 'WHEN NEW.minute_label = OLD.minute_left_label THEN OLD.minute_left_used',
    to: 'WHEN NEW.minute_label = OLD.minute_left_label THEN 0',
    tests: ['server/test/postgres/usage/shared-usage.test.ts', 'server/test/postgres/usage/contract.test.ts'],
  },
  {
    name: 'usage: the running minute is left out',
    file: 'server/src/store/usage/usage-history.ts',
    from: 'AS last WHERE requests > 0',
    to: 'AS last WHERE requests < 0',
    tests: ['server/test/usage/usage-history.test.ts'],
  },
  {
    name: 'usage: a quota is reported one request late',
    file: 'server/src/domain/management/usage-events.ts',
    from: 'used * 100 >= limit * percent',
    to: 'used * 100 > limit * percent',
    tests: ['server/test/usage/account-events.test.ts'],
  },
  {
    name: 'usage: a quota is reported again after a restart',
    file: 'server/src/store/sqlite/usage-writer.ts',
    from: '    if (this.#statements.noteQuota.run({ accountId, dayLabel, percent }).changes === 0) return;\n',
    to: '    this.#statements.noteQuota.run({ accountId, dayLabel, percent });\n',
    tests: ['server/test/usage/account-events.test.ts'],
  },
  {
    name: 'usage: a ban has no event',
    file: 'server/src/store/sqlite/usage-writer.ts',
    from: '    if (!key) return;\n',
    to: '    if (key) return;\n',
    tests: ['server/test/usage/account-events.test.ts'],
  },
  {
    name: 'usage: on PostgreSQL a ban without a quota has no event',
    file: 'server/src/store/postgres/account-events.ts',
    from: 'if (bans.length + quotas.length > 0)',
    to: 'if (quotas.length > 0)',
    tests: ['server/test/postgres/usage/contract.test.ts'],
  },
  {
    name: 'activity: a revoked key is not in the log',
    file: 'server/src/store/admin/keys.ts',
    from: '    await recordAction(this.#engine, author, { action, target: keyId, details: { name: found?.key.name } });\n',
    to: '',
    tests: ['server/test/admin/activity.test.ts'],
  },
  {
    name: 'activity: a filter by time leaves out its first moment',
    file: 'server/src/store/admin/activity.ts',
    from: 'recorded_at >= $',
    to: 'recorded_at > $',
    tests: ['server/test/activity/activity-log.test.ts'],
  },
  {
    name: 'activity: the log rounds large petIds',
    file: 'server/src/store/admin/activity.ts',
    from: 'JSON.parse(details, digitsAsBigint)',
    to: 'JSON.parse(details)',
    tests: ['server/test/activity/activity-log.test.ts'],
  },
  {
    name: 'cli: a dry run keeps its changes',
    file: 'server/src/store/admin/migrate.ts',
    from: '    throw rollback;\n',
    to: '',
    tests: ['server/test/postgres/admin/moved-management.test.ts'],
  },
];
