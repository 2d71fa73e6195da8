import { writeFileSync } from 'node:fs';
import { clientSource } from './client-source.ts';
import { SAMPLES_FILE, sampleEvents } from './sample-events.ts';

for (const [path, text] of Object.entries(clientSource())) {
  writeFileSync(new URL(`../src/${path}`, import.meta.url), text);
}
writeFileSync(SAMPLES_FILE, sampleEvents());
