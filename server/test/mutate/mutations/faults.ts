import type { Mutation } from '../mutation.ts';

/** What keeps an error of a disk or of a server from losing a change, ending the process or lasting. */
export const FAULTS: readonly Mutation[] = [
  {
    name: 'an error of the disk that is thrown in the background ends the process',
    file: 'domain/in-background.ts',
    from: '    onError(cause);\n',
    to: '    throw cause;\n',
    tests: ['store/io-errors.test.ts'],
  },
  {
    name: 'a rejection in the background ends the process',
    file: 'domain/in-background.ts',
    from: 'working.catch(onError)',
    to: 'working.finally(() => undefined)',
    tests: ['in-background.test.ts'],
  },
  {
    name: 'a look for endpoints that throws is an unexpected error',
    file: 'webhooks/sender-thread.ts',
    from: 'return await this.#options.hasActive();',
    to: 'return this.#options.hasActive() as Promise<boolean>;',
    tests: ['webhooks/thread/sender-thread.test.ts'],
  },
  {
    name: 'an index of the log that cannot be read refuses requests with 500',
    file: 'store/sqlite/file/wal-index.ts',
    from: '    } catch {\n      return false;',
    to: '    } catch (error) {\n      throw error;',
    tests: ['store/io-errors.test.ts'],
  },
  {
    name: 'a path that cannot be looked at counts as a deleted file',
    file: 'store/sqlite/file/served-files.ts',
    from: '    throw error;\n',
    to: '    return undefined;\n',
    tests: ['store/io-errors.test.ts'],
  },
  {
    name: 'files that could not be checked stay unusable',
    file: 'store/sqlite/writer-thread.ts',
    from: '      this.#doubt = undefined;\n',
    to: '',
    tests: ['store/io-errors.test.ts'],
  },
  {
    name: 'a change is acknowledged although the files cannot be checked',
    file: 'store/sqlite/writer-thread.ts',
    from: 'this.#loss ?? this.#doubt ??',
    to: 'this.#loss ??',
    tests: ['store/io-errors.test.ts'],
  },
  {
    name: 'the size of the database that cannot be read is an internal error',
    file: 'store/sqlite/store.ts',
    from: 'this.#reads.read(() => servedBytes(this.#options.file))',
    to: 'servedBytes(this.#options.file)',
    tests: ['store/io-errors.test.ts'],
  },
];
