import { writeFileSync } from 'node:fs';
import { apiTypes } from './api-types.ts';

writeFileSync(new URL('../src/api/schemas.ts', import.meta.url), apiTypes());
