import type { Call } from './call.ts';

/** A program for Python's standard library, whose integers are exact. The key is in the environment variable `KEY`. */
export function pythonSample({ method, url, headers, body, response }: Call): string {
  const fields = Object.entries(headers).map(
    ([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  return `import json
import os
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    method=${JSON.stringify(method)},
    headers={
        "Authorization": f"Bearer {os.environ['KEY']}",
${fields.map((field) => `${field}\n`).join('')}    },
${body ? `    data=json.dumps(${literal(body)}).encode(),\n` : ''})
with urllib.request.urlopen(request) as response:
${READERS[response]}
`.replace(response === 'json' || body ? '' : 'import json\n', '');
}

const READERS: Readonly<Record<Call['response'], string>> = {
  json: '    print(json.load(response))',
  events: '    for line in response:\n        print(line.decode().rstrip())',
  text: '    print(response.read().decode())',
  none: '    print(response.status)',
};

/** A value as Python writes it. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literal(one)}`);
    return `{${members.join(', ')}}`;
  }
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}
