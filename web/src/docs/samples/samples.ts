import type { CodeSample, ListedOperation, OpenApiDocument } from '../document.ts';
import { callOf } from './call.ts';
import { curlSample } from './curl.ts';
import { pythonSample } from './python.ts';
import { typescriptSample } from './typescript.ts';

/** The samples of an operation, in the order of their tabs. */
export function samplesOf(document: OpenApiDocument, listed: ListedOperation): CodeSample[] {
  const call = callOf(document, listed);
  return [
    { lang: 'shell', label: 'curl', source: curlSample(call) },
    { lang: 'typescript', label: 'TypeScript', source: typescriptSample(document, listed, call) },
    { lang: 'python', label: 'Python', source: pythonSample(call) },
  ];
}
