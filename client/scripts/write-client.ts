import { writeFileSync } from 'node:fs';
import { clientSource } from './client-source.ts';

for (const [path, text] of Object.entries(clientSource())) {
  writeFileSync(new URL(`../src/${path}`, import.meta.url), text);
}
