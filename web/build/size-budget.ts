import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** JavaScript that a page loads before it shows anything, compressed. Those of the documentation need little. */
const budgetOf = (entry: string) => (entry === 'dashboard' ? 250_000 : 12_000);
/** Each is a request, also of a page that is loaded later, with what the first page has loaded. */
const MAX_FILES = 16;

interface Chunk {
  readonly type: 'chunk';
  readonly code: string;
  readonly name: string;
  readonly isEntry: boolean;
  readonly isDynamicEntry: boolean;
  readonly imports: readonly string[];
}

/** Prints the compressed size of the first load, and fails the build above a budget. */
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
          if (!chunk.isEntry && !chunk.isDynamicEntry) continue;
          const files = withImports(name, chunks);
          if (files.size > MAX_FILES)
            this.error(`${name} is in ${files.size} files; the limit is ${MAX_FILES}.`);
          if (!chunk.isEntry) continue;
          const bytes = [...files].reduce(
            (sum, file) => sum + gzipSync(chunks.get(file)?.code ?? '').length,
            0,
          );
          const budget = budgetOf(chunk.name);
          this.info(
            `first load of ${name}: ${bytes} bytes of compressed JavaScript in ${files.size} files (at most ${budget})`,
          );
          if (bytes > budget)
            this.error(
              `${name} loads ${bytes} bytes of compressed JavaScript first; the limit is ${budget}.`,
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
