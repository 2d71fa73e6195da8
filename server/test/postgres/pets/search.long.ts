import { useEngineInProcess } from '../../support/test-database.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';

useEngineInProcess(new PostgresEngine());
await import('../../pets/search.long.ts');
