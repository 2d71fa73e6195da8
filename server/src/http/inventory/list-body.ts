import { serviceUnavailable } from '../../domain/errors.ts';
import type { InventoryList, ListContent } from '../../domain/store.ts';
import { nextStep } from '../../domain/turn.ts';
import type { AnswerBody } from '../../listen/exchange.ts';
import type { Peer } from '../../listen/peer.ts';
import type { ListReaders } from './list-readers.ts';

export function bodyOf(
  content: ListContent,
  peer: Peer,
  list: InventoryList,
  readers: ListReaders,
): AnswerBody {
  if (typeof content === 'string') return content;
  if (content instanceof Uint8Array) return content as Uint8Array<ArrayBuffer>;
  return streamOf(content, (abort) => readers.add(list, () => (peer.cut ? peer.cut() : abort())));
}

/**
 * Pieces are made when the client has room for them, so a slow one holds no more than one. For a fast one all of them
 * would be made in one turn of the event loop.
 * @param onOpen Receives a function that aborts the stream, and returns one that is called when it ends.
 */
function streamOf(
  pieces: Iterable<Uint8Array>,
  onOpen: (abort: () => void) => () => void,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  let onEnd = () => {};
  return new ReadableStream({
    start(controller) {
      onEnd = onOpen(() => {
        onEnd();
        iterator.return?.();
        // Never an end that looks like that of the list.
        controller.error(serviceUnavailable('The list was read too slowly.'));
      });
    },
    async pull(controller) {
      await nextStep();
      const { done, value } = iterator.next();
      if (!done) return controller.enqueue(value);
      onEnd();
      controller.close();
    },
    cancel() {
      onEnd();
    },
  });
}
