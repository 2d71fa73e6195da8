/// <reference path="./saxen.d.ts" />
import { Parser } from 'saxen';
import { DamagedArchive } from './zip.ts';

interface XmlEvents {
  /** @param attributes Their values, without a prefix in their names */
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

export type Attributes = (name: string) => string | undefined;

/** No text of a cell is longer, also if each of its characters is escaped. */
const MAX_TOKEN = 262_144;
const MAX_DEPTH = 64;
const PIECE = 65_536;

/**
 * Reads XML piece by piece: names without their prefix, and entities of XML alone. It yields after each piece.
 * @throws DamagedArchive
 */
export function* readXml(bytes: Iterable<Uint8Array>, events: XmlEvents): Generator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [depth, waiting] = [0, 0];
  const parser = new Parser()
    .on('openTag', (name, attributes, decode) => {
      [depth, waiting] = [depth + 1, 0];
      if (depth > MAX_DEPTH) throw new DamagedArchive('elements in too many elements');
      events.open?.(localName(name), (wanted) => valueOf(attributes(), wanted, decode));
    })
    .on('closeTag', (name) => {
      [depth, waiting] = [depth - 1, 0];
      events.close?.(localName(name));
    })
    .on('text', (text, decode) => events.text?.(decode(text)))
    .on('cdata', (text) => events.text?.(text))
    .on('error', (error) => {
      throw new DamagedArchive(error.message);
    });
  for (const piece of textPieces(bytes, decoder)) {
    waiting += piece.length;
    // The parser reads an unfinished token again with each piece.
    if (waiting > MAX_TOKEN + PIECE) throw new DamagedArchive('a text is too long');
    parser.write(piece);
    yield;
  }
  parser.end();
}

function* textPieces(bytes: Iterable<Uint8Array>, decoder: TextDecoder): Generator<string> {
  const decode = (some?: Uint8Array) => {
    try {
      return decoder.decode(some, { stream: some !== undefined });
    } catch {
      throw new DamagedArchive('not UTF-8');
    }
  };
  for (const some of bytes)
    for (let start = 0; start < some.length; start += PIECE)
      yield decode(some.subarray(start, start + PIECE));
  yield decode();
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function valueOf(
  attributes: Readonly<Record<string, string>>,
  wanted: string,
  decode: (text: string) => string,
): string | undefined {
  const name = Object.hasOwn(attributes, wanted)
    ? wanted
    : Object.keys(attributes).find((key) => key.endsWith(`:${wanted}`));
  const value = name === undefined ? undefined : attributes[name];
  return value === undefined ? undefined : decode(value);
}
