import { readFileSync, rmSync } from 'node:fs';

/** The package of Node has 67 MB of C++ headers, which only the compilation of native add-ons needs: there are none. */
const root = new URL('../', import.meta.url);
const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
for (const name of Object.keys(optionalDependencies)) {
  rmSync(new URL(`node_modules/${name}/include`, root), { recursive: true, force: true });
}
