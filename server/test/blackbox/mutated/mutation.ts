/** Numbers that only depend on the seed (mulberry32), each from 0 up to but without `below`. */
export type Random = (below: number) => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Bytes that parsers are known to trip over. */
const DELICATE = Buffer.from('\0\t\n\r "#%*+,-./0:;=?@[\\]{}\x7f\x80\xff', 'latin1');
const MAX_EDIT_BYTES = 40;

type Edit = (bytes: Buffer, at: number, random: Random) => Buffer;

function splice(bytes: Buffer, at: number, removed: number, inserted: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
}

const EDITS: readonly Edit[] = [
  (bytes, at, random) => splice(bytes, at, 1, Buffer.of(random(256))),
  (bytes, at, random) => splice(bytes, at, 1, Buffer.of((bytes[at] ?? 0) ^ (1 << random(8)))),
  (bytes, at, random) => splice(bytes, at, 0, Buffer.of(DELICATE[random(DELICATE.length)] ?? 0)),
  (bytes, at, random) => splice(bytes, at, 1 + random(MAX_EDIT_BYTES), Buffer.alloc(0)),
  (bytes, at, random) => splice(bytes, at, 0, bytes.subarray(at, at + 1 + random(MAX_EDIT_BYTES))),
  (bytes, at, random) => splice(bytes, at, 0, bytes.subarray(random(bytes.length))),
  (bytes, at) => bytes.subarray(0, at),
];

/** Changes one to four places of a request; the same seed makes the same bytes. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  let mutated = bytes;
  for (let edits = 1 + random(4); edits > 0 && mutated.length > 0; edits -= 1) {
    const edit = EDITS[random(EDITS.length)];
    if (edit) mutated = edit(mutated, random(mutated.length), random);
  }
  return mutated;
}
