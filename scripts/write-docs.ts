import { writeFileSync } from 'node:fs';
import { executedSamples, RESPONSE_SAMPLES } from '../test/docs/response-samples/run.ts';
import { repositoryFile } from '../web/build/guides.ts';
import { postmanCollection } from '../web/build/postman-collection.ts';
import { errorsPage } from './errors-page.ts';

writeFileSync(repositoryFile('docs/errors.md'), errorsPage());
writeFileSync(repositoryFile('docs/petstore.postman_collection.json'), postmanCollection());
writeFileSync(repositoryFile(RESPONSE_SAMPLES), await executedSamples());
