import { useEngine } from '../../support/test-database.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';

useEngine(new PostgresEngine());
await import('../../pets/search.long.ts');
