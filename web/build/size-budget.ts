import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** JavaScript that the first page loads before it shows anything, compressed. */
const BUDGET_BYTES = 250_000;

interface Chunk {
  readonly type: 'chunk';
  readonly code: string;
  readonly isEntry: boolean;
  readonly imports: readonly string[];
}

/** Prints the compressed size of the first load, and fails the build above the budget. */
export function sizeBudget(): Plugin {
  return {
    name: 'size-budget',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = new Map(
          Object.entries(bundle).filter(
            (entry): entry is [string, Chunk & (typeof entry)[1]] => entry[1].type === 'chunk',
          ),
        );
        for (const [name, chunk] of chunks) {
          if (!chunk.isEntry) continue;
          const files = withImports(name, chunks);
          const bytes = [...files].reduce(
            (sum, file) => sum + gzipSync(chunks.get(file)?.code ?? '').length,
            0,
          );
          this.info(
            `first load of ${name}: ${bytes} bytes of compressed JavaScript in ${files.size} files (at most ${BUDGET_BYTES})`,
          );
          if (bytes > BUDGET_BYTES)
            this.error(
              `${name} loads ${bytes} bytes of compressed JavaScript first; the limit is ${BUDGET_BYTES}.`,
            );
        }
      },
    },
  };
}

function withImports(
  name: string,
  chunks: ReadonlyMap<string, Chunk>,
  found = new Set<string>(),
): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const imported of chunks.get(name)?.imports ?? []) withImports(imported, chunks, found);
  return found;
}
