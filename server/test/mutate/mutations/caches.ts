import type { Mutation } from '../mutation.ts';

/** The list, its chunks and tags, and change notifications. */
export const CACHES: readonly Mutation[] = [
  {
    name: 'a PostgreSQL list is taken from a reading that began earlier',
    file: 'server/src/store/postgres/list-reader.ts',
    from: 'if (this.#reading) return this.#reading.then(() => this.list(head));',
    to: 'if (this.#reading) return this.#reading;',
    tests: ['server/test/postgres/outdated-responses.test.ts'],
  },
  {
    name: 'a PostgreSQL list is one movement old',
    file: 'server/src/store/postgres/list-reader.ts',
    from: 'this.#head.sequence >= head.sequence',
    to: 'this.#head.sequence >= head.sequence - 1',
    tests: ['server/test/postgres/shared-list.test.ts'],
  },
  {
    name: 'a PostgreSQL list is kept after its connection was lost',
    file: 'server/src/store/postgres/store.ts',
    from: 'onListingLost: () => this.#list.forget(),',
    to: 'onListingLost: () => {},',
    tests: ['server/test/postgres/shared-list.test.ts', 'server/test/postgres/faults/faults.test.ts'],
  },
  {
    name: 'a SQLite batch continues from one that was rolled back',
    file: 'server/src/store/sqlite/written-stock.ts',
    from: 'if (!this.#isCommitted || version !== this.#version ||',
    to: 'if (version !== this.#version ||',
    tests: ['server/test/store/written-stock.test.ts'],
  },
  {
    name: 'a SQLite batch continues from stock that another process changed',
    file: 'server/src/store/sqlite/written-stock.ts',
    from: 'if (!this.#isCommitted || version !== this.#version ||',
    to: 'if (!this.#isCommitted ||',
    tests: ['server/test/store/written-stock.test.ts'],
  },
  {
    name: 'a SQLite list is one movement old',
    file: 'server/src/store/sqlite/list-reader.ts',
    from: 'this.#sequence >= head.sequence',
    to: 'this.#sequence >= head.sequence - 1',
    tests: ['server/test/inventory/list-cache.test.ts', 'server/test/inventory/list-inventory.test.ts'],
  },
  {
    name: 'a SQLite list does not wait for the running read',
    file: 'server/src/store/sqlite/list-reader.ts',
    from: 'if (this.#reading) return this.#reading.then(() => this.list(head));',
    to: '',
    tests: ['server/test/inventory/list-as-of.test.ts', 'server/test/inventory/list-cache.test.ts'],
  },
  {
    name: 'a commit of another process is not noticed',
    file: 'server/src/store/sqlite/file/wal-index.ts',
    from: 'return !this.#now.equals(this.#seen);',
    to: 'return false;',
    tests: ['server/test/store/operator-changes.test.ts', 'server/test/inventory/list-inventory.test.ts'],
  },
  {
    name: 'a list keeps its tag when a backup is restored',
    file: 'server/src/store/list/list-cache.ts',
    from: 'head.recordedAtMs.toString(36)',
    to: '(0).toString(36)',
    tests: ['server/test/writes/stock-tag.test.ts'],
  },
  {
    name: 'a change marks the chunk after its own',
    file: 'server/src/store/list/list-cache.ts',
    from: 'if ((this.#chunks[middle] as Chunk).lastPetId < petId) low = middle + 1;',
    to: 'if ((this.#chunks[middle] as Chunk).lastPetId <= petId) low = middle + 1;',
    tests: ['server/test/inventory/list-chunks.test.ts', 'server/test/inventory/list-cache.test.ts'],
  },
  {
    name: 'a busy thread collects all garbage',
    file: 'server/src/domain/collect-when-quiet.ts',
    from: 'if (utilization > QUIET) return;',
    to: '',
    tests: ['server/test/collect-when-quiet.test.ts'],
  },
  {
    name: 'a large heap is collected in one turn',
    file: 'server/src/domain/collect-when-quiet.ts',
    from: 'heapUsed < MAX_HEAP_BYTES',
    to: 'heapUsed > 0',
    tests: ['server/test/collect-when-quiet.test.ts'],
  },
];
