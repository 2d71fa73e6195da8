import type { CodeSample, ListedOperation, OpenApiDocument } from '../../document.ts';
import { callOf } from './call.ts';
import { commandLineSample } from './command-line.ts';
import { curlSample } from './curl.ts';
import { pythonSample } from './python.ts';
import { typescriptSample } from './typescript.ts';

/** The samples of an operation, in the order of their tabs. */
export function samplesOf(document: OpenApiDocument, listed: ListedOperation): CodeSample[] {
  const call = callOf(document, listed);
  const commands = commandLineSample(call, document.servers[0]?.url ?? '');
  return [
    { lang: 'shell', label: 'curl', source: curlSample(call) },
    { lang: 'typescript', label: 'TypeScript', source: typescriptSample(document, listed, call) },
    { lang: 'python', label: 'Python', source: pythonSample(call) },
    ...(commands === undefined ? [] : [{ lang: 'bash', label: 'petstore', source: commands }]),
  ];
}
