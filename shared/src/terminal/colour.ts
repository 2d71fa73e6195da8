import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** How the first word of a state looks. Any other word is plain. */
const FORMATS: Readonly<Record<string, Format>> = {
  active: 'green',
  available: 'green',
  delivered: 'green',
  applied: 'green',
  low: 'yellow',
  pending: 'yellow',
  paused: 'yellow',
  placed: 'yellow',
  stale: 'yellow',
  archived: 'gray',
  cancelled: 'gray',
  revoked: 'red',
  expired: 'red',
  banned: 'red',
  failing: 'red',
  failed: 'red',
  invalid: 'red',
  out: 'red',
  oversold: 'red',
};

/** A heading in bold, where standard output shows colours: on a terminal without `NO_COLOR`, or with `FORCE_COLOR`. */
export function heading(text: string, stream: NodeJS.WritableStream = process.stdout): string {
  return text === '' ? text : styleText('bold', text, { stream });
}

/** A state whose first word has its colour, where standard output shows colours. */
export function coloured(text: string, stream: NodeJS.WritableStream = process.stdout): string {
  const [word = ''] = text.split(' ', 1);
  const format = Object.hasOwn(FORMATS, word) ? FORMATS[word] : undefined;
  return format === undefined ? text : `${styleText(format, word, { stream })}${text.slice(word.length)}`;
}
