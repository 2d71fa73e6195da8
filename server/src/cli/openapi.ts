import type { Command } from 'commander';
import { baseUrlOf, type Config } from '../config.ts';
import { addCommand } from './command.ts';
import { STANDARD_OUTPUT, writeFile } from './file-target.ts';
import { runCommand } from './output.ts';

/** Adds the command that prints the OpenAPI document. */
export function addOpenApi(program: Command): void {
  addCommand(program, 'openapi', {
    summary: 'print the OpenAPI 3.1 document of the interface',
    notes: 'It needs no database.',
    example: 'openapi --output openapi.json',
  })
    .option('--admin', 'the document of the management API')
    .option('--output <file>', 'write it to a file; an existing file is replaced; - is standard output')
    .action(({ admin, output }: { admin?: true; output?: string }, command: Command) =>
      runCommand(command, async (config) => {
        const document = await (admin ? makeAdminDocument(config) : makeDocument(config));
        const { documentText } = await import('../http/openapi/document-text.ts');
        const text = documentText(document);
        if (output === undefined || output === STANDARD_OUTPUT) return { value: document, text };
        writeFile(output, `${text}\n`, 'all');
        return { value: { file: output }, text: `${output} is written.` };
      }),
    );
}

async function makeDocument(config: Config): Promise<object> {
  // Loaded here, because no other command needs the schemas.
  const [{ defineOperations }, { openApiDocument }, { eventRoutes }] = await Promise.all([
    import('../http/operations.ts'),
    import('../http/openapi/client-document.ts'),
    import('../http/webhooks/event-documents.ts'),
  ]);
  const operations = defineOperations({ ...config, baseUrl: baseUrlOf(config, config.environment) });
  const servers = { production: config.baseUrl, staging: config.stagingBaseUrl };
  return openApiDocument(operations, servers, eventRoutes());
}

async function makeAdminDocument(config: Config): Promise<object> {
  const [{ defineAdminOperations }, { adminDocument }] = await Promise.all([
    import('../http/admin/operations.ts'),
    import('../http/admin/document.ts'),
  ]);
  const operations = defineAdminOperations({ ...config, baseUrl: baseUrlOf(config, config.environment) });
  return adminDocument(operations, { production: config.baseUrl, staging: config.stagingBaseUrl });
}
