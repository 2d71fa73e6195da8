import type { Mutation } from '../mutation.ts';

/** The reader of files of pets: what it finds by itself, and what it asks. */
export const FILES: readonly Mutation[] = [
  {
    name: 'files: a number with two readings is taken as grouped',
    file: 'shared/src/pet-file/counts.ts',
    from: '  if (decimal === undefined) {',
    to: '  if (false) {',
    tests: ['server/test/pet-file/evidence.test.ts'],
  },
  {
    name: 'files: a file that proves both marks is read by one of them',
    file: 'shared/src/pet-file/rows.ts',
    from: '|| this.#proven.size !== 1)',
    to: '|| this.#proven.size === 0)',
    tests: ['server/test/pet-file/evidence.test.ts'],
  },
  {
    name: 'files: prices that are left out prove nothing',
    file: 'shared/src/pet-file/table.ts',
    from: "for (const column of this.#prices) this.#rows.noteNumber(record.fields[column] ?? '');",
    to: '',
    tests: ['server/test/pet-file/evidence.test.ts'],
  },
  {
    name: 'files: a date in a column of counts proves a mark of decimals',
    file: 'shared/src/pet-file/counts.ts',
    from: 'before.every((mark) => mark === before[0] && mark !== last)',
    to: 'before.every((mark) => mark === before[0])',
    tests: ['server/test/pet-file/evidence.test.ts'],
  },
  {
    name: 'files: the service does not read a file again with what its numbers prove',
    file: 'server/src/management/jobs/import-runner.ts',
    from: 'if (decimal !== undefined) check =',
    to: 'if (false) check =',
    tests: ['server/test/imports/reading.test.ts'],
  },
  {
    name: 'files: the service forgets which columns a request leaves out',
    file: 'server/src/management/jobs/import-check.ts',
    from: '      ignored: reading?.ignored,\n',
    to: '',
    tests: ['server/test/imports/reading.test.ts'],
  },
  {
    name: 'files: the first row has the headings, whatever is in it',
    file: 'shared/src/pet-file/headings.ts',
    from: 'if (complete !== -1) return complete;',
    to: 'if (rows.length > 0) return 0;',
    tests: ['server/test/pet-file/evidence.test.ts'],
  },
  {
    name: 'files: the title decides about the separator',
    file: 'shared/src/pet-file/csv-head.ts',
    from: 'const heading = rows[bestHeading(rows)] ?? [];',
    to: 'const heading = rows[0] ?? [];',
    tests: ['server/test/pet-file/evidence.test.ts'],
  },
  {
    name: 'files: letters of another encoding become quotes',
    file: 'shared/src/pet-file/text-pieces.ts',
    from: 'if (this.#given === undefined && isHardlyWindows(bytes, this.#before))',
    to: 'if (hasCharacterOfUnicode(bytes))',
    tests: ['server/test/pet-file/evidence.test.ts'],
  },
];
