import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Plugin } from 'vite';
import { GUIDES, joinGuides, repositoryFile } from './guides.ts';

const MODULE = 'virtual:guides';

/** Provides `virtual:guides`: all guides as one Markdown text, with their pictures as files of the build. */
export function guidesModule(): Plugin {
  return {
    name: 'guides-module',
    apply: 'build',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return undefined;
      for (const path of GUIDES) this.addWatchFile(repositoryFile(path));
      const pictures = new Map<string, string>();
      const markdown = joinGuides({
        ofHeading: (slug) => `#v1/description/${slug}`,
        ofPicture: (path) => {
          const source = readFileSync(repositoryFile(path));
          const file = pictures.get(path) ?? this.emitFile({ type: 'asset', name: basename(path), source });
          pictures.set(path, file);
          return `{${file}}`;
        },
      });
      // The addresses of files are known when the build writes them.
      const [first = '', ...rest] = markdown.split(/\{(?=\w+\}\))/);
      const parts = rest.map((part) => {
        const end = part.indexOf('}');
        return ` + import.meta.ROLLUP_FILE_URL_${part.slice(0, end)} + ${JSON.stringify(part.slice(end + 1))}`;
      });
      return `export default ${JSON.stringify(first)}${parts.join('')};`;
    },
  };
}
