import { writeFileSync } from 'node:fs';
import { errorsPage } from '../build/errors-page.ts';
import { repositoryFile } from '../build/guides.ts';
import { postmanCollection } from '../build/postman-collection.ts';

writeFileSync(repositoryFile('docs/errors.md'), errorsPage());
writeFileSync(repositoryFile('docs/petstore.postman_collection.json'), postmanCollection());
