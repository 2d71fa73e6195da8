import type { Mutation } from '../mutation.ts';

const CLI = '../../client/cli';

/** What the command line of clients promises to its users. */
export const CLIENT_COMMANDS: readonly Mutation[] = [
  {
    name: 'the key of a login is sent to any service',
    file: `${CLI}/account/credentials.ts`,
    from: 'if (url && !isSameService(url, login.url)) {',
    to: 'if (!isSameService(login.url, login.url)) {',
    tests: ['client/cli/login.test.ts'],
  },
  {
    name: 'other users of the machine can read the key',
    file: `${CLI}/files/whole-file.ts`,
    from: 'const ONLY_OWNER = 0o600;',
    to: 'const ONLY_OWNER = 0o644;',
    tests: ['client/cli/login.test.ts'],
  },
  {
    name: 'a key on the command line is accepted',
    file: `${CLI}/program.ts`,
    from: '    requireNoSecret(words);\n',
    to: '',
    tests: ['client/cli/login.test.ts'],
  },
  {
    name: 'text of the service can command the terminal',
    file: `${CLI}/terminal/safe-text.ts`,
    from: 'return text.replace(UNSAFE, escaped);',
    to: 'return text;',
    tests: ['client/cli/terminal.test.ts'],
  },
  {
    name: 'JSON on a terminal has control characters of 8 bits',
    file: `${CLI}/terminal/safe-text.ts`,
    from: 'return json.replace(UNSAFE_IN_JSON, escaped);',
    to: 'return json;',
    tests: ['client/cli/terminal.test.ts'],
  },
  {
    name: 'an import overwrites what changed since its plan',
    file: `${CLI}/files/apply.ts`,
    from: 'changeOf(row, isAdding, explanation, row.before.etag ?? undefined)',
    to: 'changeOf(row, isAdding, explanation)',
    tests: ['client/cli/import.test.ts'],
  },
  {
    name: 'a batch whose response was lost is sent again as another one',
    file: `${CLI}/files/apply.ts`,
    from: '{ ...request, idempotencyKey: key }',
    to: 'request',
    tests: ['client/cli/import.test.ts'],
  },
  {
    name: 'an import sends its changes without their explanation',
    file: `${CLI}/files/apply.ts`,
    from: 'await applyChunk(run, chunk, journal.begin)',
    to: 'await applyChunk(run, chunk, { ...journal.begin, explanation: {} as Explanation })',
    tests: ['client/cli/import.test.ts'],
  },
  {
    name: 'an edited file is added again although its import is unfinished',
    file: `${CLI}/files/run-import.ts`,
    from: '    if (!dryRun && !fresh) requireSameImport(ofFile, isAdding);\n',
    to: '',
    tests: ['client/cli/edited-import.test.ts'],
  },
  {
    name: 'another form of the address is another service for an interrupted import',
    file: `${CLI}/run.ts`,
    from: 'url: plainAddress(url),',
    to: 'url,',
    tests: ['client/cli/edited-import.test.ts'],
  },
  {
    name: 'a dry run forgets an interrupted import',
    file: `${CLI}/files/run-import.ts`,
    from: 'await this.#begin(rows, record, replaced);',
    to: 'for (const gone of replaced) rmSync(gone, { force: true });\n    await this.#begin(rows, record, replaced);',
    tests: ['client/cli/edited-import.test.ts'],
  },
  {
    name: 'webhooks listen takes more events than --count',
    file: `${CLI}/webhooks/receive-events.ts`,
    from: '    if (taken === most) return false;\n',
    to: '',
    tests: ['client/cli/webhooks.test.ts'],
  },
  {
    name: 'a full disk is a stack trace, or a success',
    file: `${CLI}/main.ts`,
    from: '  if (!unwritable) process.exit(exitCode);\n',
    to: '  process.exit(exitCode);\n',
    tests: ['client/cli/exit-codes.test.ts'],
  },
  {
    name: 'an endpoint stays after the command that made it',
    file: `${CLI}/webhooks/endpoint.ts`,
    from: 'client.deleteWebhookEndpoint(endpoint.id, { maxWaitMs: 10_000 })',
    to: 'Promise.resolve()',
    tests: ['client/cli/webhooks.test.ts'],
  },
];
