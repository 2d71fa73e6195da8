import util from 'node:util';
import { thousands } from './texts.ts';

type Format = Parameters<typeof util.styleText>[0];

/** How the first word of a state looks. Any other word is plain. */
const FORMATS: Readonly<Record<string, Format>> = {
  ok: 'green',
  warning: 'yellow',
  fault: 'red',
  active: 'green',
  available: 'green',
  delivered: 'green',
  approved: 'green',
  applied: 'green',
  back: 'green',
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
  refused: 'red',
  invalid: 'red',
  out: 'red',
  oversold: 'red',
};

/** Whether a stream shows colours: a terminal without `NO_COLOR`, or any stream with `FORCE_COLOR`. */
export function isColoured(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && !env.NO_COLOR && env.FORCE_COLOR !== '0' && env.TERM !== 'dumb';
}

/** Colours for one stream. */
export class Paint {
  readonly #isColoured: boolean;

  constructor(isOn: boolean) {
    this.#isColoured = isOn;
  }

  /** @param text Safe text. */
  style(format: Format, text: string): string {
    // The oldest Node 20 has no styleText. Its own check of the stream came later, so the check is above.
    if (!this.#isColoured || text === '' || !util.styleText) return text;
    return util.styleText(format, text, { validateStream: false });
  }

  /** A state whose first word has its colour. */
  state(text: string): string {
    const [word = ''] = text.split(' ', 1);
    const format = Object.hasOwn(FORMATS, word) ? FORMATS[word] : undefined;
    return format === undefined ? text : `${this.style(format, word)}${text.slice(word.length)}`;
  }

  /** A change of a number: green above 0, red below. */
  delta(delta: number): string {
    const text = delta > 0 ? `+${thousands(delta)}` : thousands(delta);
    return delta === 0 ? text : this.style(delta > 0 ? 'green' : 'red', text);
  }
}
