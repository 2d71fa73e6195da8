import { EVENT_TYPES } from '../../server/src/domain/webhooks/events.ts';
import { eventSamples, SAMPLE_TIME_MS } from '../../server/src/http/webhooks/event-samples.ts';

/** The file of the command line that has the samples. */
export const SAMPLES_FILE = new URL('../cli/webhooks/sample-events.ts', import.meta.url);

/** The module of the command line with all samples. */
export function sampleEvents(): string {
  const at = new Date(SAMPLE_TIME_MS).toISOString();
  const samples = eventSamples();
  const lines = [...EVENT_TYPES, 'webhook.test' as const].map(
    (type) => `  '${type}':\n    '${samples[type]}',`,
  );
  return `// Written by "npm run openapi" with the functions of the service that write its events.

/** The moment of all samples. */
export const SAMPLE_TIME = '${at}';

/** The \`data\` of a message of each type. */
export const SAMPLES: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`;
}
