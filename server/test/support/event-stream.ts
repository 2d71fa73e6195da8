/** An event as a client dispatches it. */
export interface StreamEvent {
  /** The last event id at that moment. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** Parses an event stream according to section 9.2.6 of the WHATWG HTML standard, for any split into pieces. */
export class EventStream {
  /** The `Last-Event-ID` of a reconnecting client; empty if it sends none. */
  lastEventId = '';
  retryMs: number | undefined;
  comments = 0;
  readonly #decoder = new TextDecoder();
  #text = '';
  #id = '';
  #type = '';
  #data = '';

  /** Returns the events that are whole with these bytes. */
  push(bytes: Uint8Array): StreamEvent[] {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    const lines = this.#text.split('\n');
    this.#text = lines.pop() as string;
    return lines.flatMap((line) => this.#read(line) ?? []);
  }

  #read(line: string): StreamEvent | undefined {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) this.comments += 1;
    else if (colon < 0) this.#field(line, '');
    else this.#field(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''));
    return undefined;
  }

  #field(name: string, value: string): void {
    if (name === 'event') this.#type = value;
    else if (name === 'data') this.#data += `${value}\n`;
    else if (name === 'id') this.#id = value;
    else if (name === 'retry') this.retryMs = Number(value);
  }

  #dispatch(): StreamEvent | undefined {
    this.lastEventId = this.#id;
    const [type, data] = [this.#type || 'message', this.#data];
    this.#type = '';
    this.#data = '';
    return data === '' ? undefined : { id: this.lastEventId, type, data: data.slice(0, -1) };
  }
}
