import type { Call } from './call.ts';

/** A command for a POSIX shell. The key is in the variable `KEY`. */
export function curlSample({ method, url, headers, body, response }: Call): string {
  const options = response === 'events' ? ' -N' : '';
  const lines = [
    `curl${options}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    '-H "Authorization: Bearer $KEY"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quoted(JSON.stringify(body))}`] : []),
  ];
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
