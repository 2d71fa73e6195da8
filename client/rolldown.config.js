import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the package that a module is in. */
const PACKAGE = /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

/** Appends the licenses of the bundled packages, which demand it. */
const licenses = {
  name: 'licenses',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const folders = new Set(chunk.moduleIds.map((id) => PACKAGE.exec(id)?.[0]).filter(Boolean));
      chunk.code += [...folders].sort().map(licenseComment).join('');
    }
  },
};

function licenseComment(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
  return `\n/*\n${name} ${version}\n\n${text.replaceAll('*/', '* /')}\n*/\n`;
}

/** The name of a chunk. The modules of packages are called `dist` and `index`. */
function nameOf(module) {
  if (module.includes('@bomb.sh')) return 'completion';
  return module.includes('@clack') ? 'prompts' : '[name]';
}

/** The command line without dependencies, for every runtime of the package. What few commands need is in chunks of its own. */
export default {
  input: 'cli/main.ts',
  platform: 'node',
  transform: { target: 'node20' },
  output: {
    dir: 'dist',
    entryFileNames: 'petstore.js',
    chunkFileNames: ({ facadeModuleId }) => `cli/${nameOf(facadeModuleId ?? '')}.js`,
    minify: true,
    codeSplitting: {
      groups: [{ name: 'shared', minShareCount: 2 }],
    },
  },
  plugins: [licenses],
};
