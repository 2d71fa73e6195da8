import { withProgress } from '@petstore-inventory/shared/terminal/progress';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { VARIABLES } from '../config-variables.ts';
import { shownDatabase } from '../store/open-admin.ts';
import { addCommand } from './command.ts';
import { buildDashboard, isBuildDue } from './dashboard/build-dashboard.ts';
import { print } from './output.ts';
import {
  describeFirstLook,
  makeDemoKey,
  makeFirstLink,
  prepareFirstLook,
  SAMPLE_DATABASE,
} from './quickstart.ts';

/** Adds the commands that run the service. */
export function addService(program: Command): void {
  addCommand(program, 'serve', {
    summary: 'run the service, until SIGTERM or Ctrl-C',
    notes: 'It makes the database if there is none. Its log on standard output is one JSON object per line.',
    example: 'serve',
    json: 'write errors as {"error": "…", "errors": […]}; the log is JSON anyway',
  })
    .addHelpText('after', () => `\nVariables of the environment:\n${variablesText()}`)
    .action(async () => {
      const config = readConfig(process.env);
      // Loaded here, because no other command needs the HTTP side.
      const { startService } = await import('./serve.ts');
      const { stopped } = await startService(config);
      await stopped;
    });

  addCommand(program, 'start', {
    summary: 'run the service for a first look: a new database gets a sample shop, an account and a key',
    notes:
      `Without PETSTORE_DATABASE the sample shop is in ${SAMPLE_DATABASE}. No shop can be set up in a database with sample data.\n` +
      'It builds the dashboard of a checkout if that is missing or older than its sources.\n' +
      'It reads the variables of serve; the default of PETSTORE_LOG_LEVEL is warn.',
    example: 'start',
  })
    .option('--no-sample', 'start a shop without the sample, in the database of serve')
    .action(async ({ sample }: { sample: boolean }, command: Command) => {
      const config = readConfig({
        PETSTORE_LOG_LEVEL: 'warn',
        ...(sample && { PETSTORE_DATABASE: SAMPLE_DATABASE }),
        ...process.env,
      });
      const { samplePets, isSample } = await prepareFirstLook(config, { sample });
      const problem =
        config.dashboard === '' && isBuildDue()
          ? await withProgress(command, (progress) => {
              progress.show('Building the dashboard');
              return buildDashboard();
            })
          : undefined;
      const { startService } = await import('./serve.ts');
      const { url, hasDashboard, stopped } = await startService(config, 'accept');
      const demo = await makeDemoKey(config);
      const signInLink = hasDashboard ? await makeFirstLink(config, url) : undefined;
      const database = shownDatabase(config.database);
      print(
        command,
        describeFirstLook({ url, database, samplePets, isSample, problem, signInLink, ...demo }),
      );
      await stopped;
    });
}

function variablesText(): string {
  return Object.values(VARIABLES)
    .map(({ name, default: byDefault, meaning }) => {
      return `  ${name}${byDefault === '' ? '' : ` (${byDefault})`}\n      ${meaning}`;
    })
    .join('\n');
}
