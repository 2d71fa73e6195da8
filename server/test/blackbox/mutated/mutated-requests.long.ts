import { INSTANCES_ON_POSTGRES, ON_SQLITE } from '../targets.ts';
import { testMutatedRequests } from './mutated-requests.ts';

for (const target of [...ON_SQLITE, INSTANCES_ON_POSTGRES]) testMutatedRequests(target, [1, 2, 3, 4]);
