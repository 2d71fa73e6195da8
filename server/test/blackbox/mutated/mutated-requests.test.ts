import { ON_SQLITE } from '../targets.ts';
import { testMutatedRequests } from './mutated-requests.ts';

for (const target of ON_SQLITE) testMutatedRequests(target, [1, 2]);
