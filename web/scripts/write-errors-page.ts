import { writeFileSync } from 'node:fs';
import { errorsPage } from '../build/errors-page.ts';

writeFileSync(new URL('../../docs/errors.md', import.meta.url), errorsPage());
