import type { Movement } from '../../src/index.ts';

/** Movements as the service sends them. */
export function eventsOf(movements: readonly Movement[]): string[] {
  return movements.map((movement) => {
    const json = JSON.stringify({ ...movement, petId: 0 }).replace('"petId":0', `"petId":${movement.petId}`);
    return `id: ${movement.sequence}\nevent: movement\ndata: ${json}\n\n`;
  });
}

/** A body of these pieces, one per read. */
export function streamOf(
  pieces: readonly string[],
  then: 'end' | 'break' | 'stay open',
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece !== undefined) controller.enqueue(encoder.encode(piece));
      else if (then === 'end') controller.close();
      else if (then === 'break') controller.error(new Error('reset'));
      else return new Promise(() => {});
      return undefined;
    },
  });
}
