import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A block of code of a page. */
export interface Block {
  /** Empty: none is named. */
  readonly language: string;
  readonly text: string;
}

/** A page of the documentation, by its path in the repository. */
export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The blocks of code of a page or a part of it. */
export function blocksIn(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text: text.trimEnd(),
  }));
}
