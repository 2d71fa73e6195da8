import { PetstoreError } from '../errors.ts';

/** A block of an event stream: an event, an event without data, or only a comment. */
export interface StreamBlock {
  readonly type: string;
  readonly data: string;
  readonly id: string | undefined;
  readonly retryMs: number | undefined;
}

/** Far more than an event of the service has. */
const MAX_CHARACTERS = 1_000_000;

/** Parses server-sent events (WHATWG HTML, section 9.2.6) for any split into pieces. */
export class EventStreamParser {
  readonly #decoder = new TextDecoder();
  #rest = '';
  /** Whether the rest ends with a carriage return, which may be half of a line break. */
  #isHalf = false;
  #lines: string[] = [];
  #characters = 0;

  /** Returns the blocks that are whole with these bytes. @throws PetstoreError for an endless block */
  push(bytes: Uint8Array): StreamBlock[] {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#rest += text;
    // A long line in many pieces is searched once, when it ends.
    const lines = this.#isHalf || /[\r\n]/.test(text) ? this.#rest.split(/\r\n|\n|\r(?!$)/) : [this.#rest];
    this.#rest = lines.pop() as string;
    this.#isHalf = text === '' ? this.#isHalf : text.endsWith('\r');
    const blocks: StreamBlock[] = [];
    for (const line of lines) {
      if (line !== '') {
        this.#lines.push(line);
        this.#characters += line.length;
      } else if (this.#lines.length > 0) {
        blocks.push(blockOf(this.#lines.splice(0)));
        this.#characters = 0;
      }
    }
    if (this.#characters + this.#rest.length > MAX_CHARACTERS) {
      throw new PetstoreError('A stream event exceeds 1,000,000 characters.', { code: 'connection_failed' });
    }
    return blocks;
  }
}

function blockOf(lines: readonly string[]): StreamBlock {
  const fields = lines.map((line) => /^([^:]*):? ?(.*)$/s.exec(line) as unknown as [string, string, string]);
  const valuesOf = (name: string) => fields.filter(([, field]) => field === name).map(([, , value]) => value);
  const retry = valuesOf('retry').at(-1) ?? '';
  return {
    type: valuesOf('event').at(-1) ?? 'message',
    data: valuesOf('data').join('\n'),
    id: valuesOf('id').at(-1),
    retryMs: /^\d{1,9}$/.test(retry) ? Number(retry) : undefined,
  };
}
