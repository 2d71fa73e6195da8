import { writeFileSync } from 'node:fs';
import { executedSamples, RESPONSE_SAMPLES } from '../test/docs/response-samples/run.ts';
import { repositoryFile } from '../web/build/guides.ts';
import { postmanCollections } from '../web/build/postman-collection.ts';
import { errorsPage } from './errors-page.ts';

writeFileSync(repositoryFile('docs/errors.md'), errorsPage());
for (const [path, text] of Object.entries(postmanCollections())) writeFileSync(repositoryFile(path), text);
writeFileSync(repositoryFile(RESPONSE_SAMPLES), await executedSamples());
