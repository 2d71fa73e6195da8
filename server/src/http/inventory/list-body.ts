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
 * Makes a piece when the client has room for it, so a slow client holds one piece. A fast client would take all pieces
 * in one turn of the event loop; `nextStep` shares the turn with other requests.
 * @param onOpen Receives a function that aborts the stream. Returns a function to call at its end.
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
        // An error, because a regular end would look like the end of the list.
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
