/** The part of the package that is used: it has no types of its own. */
declare module 'saxen' {
  export type DecodeEntities = (text: string) => string;

  export class Parser {
    on(
      event: 'openTag',
      call: (
        name: string,
        attributes: () => Readonly<Record<string, string>>,
        decode: DecodeEntities,
      ) => void,
    ): this;
    on(event: 'closeTag', call: (name: string) => void): this;
    on(event: 'text', call: (text: string, decode: DecodeEntities) => void): this;
    on(event: 'cdata', call: (text: string) => void): this;
    on(event: 'error', call: (error: Error) => void): this;
    write(chunk: string): this;
    end(): Error | null;
  }
}
