interface Listening {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const LISTENING = new WeakMap<AbortSignal, Listening>();

/**
 * Calls back when a signal aborts. Returns a function that ends this. All callbacks of a signal share one listener, because
 * a signal compares each new listener with all others.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (!signal) return () => {};
  const { callbacks, listener } = LISTENING.get(signal) ?? listenTo(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size > 0) return;
    signal.removeEventListener('abort', listener);
    LISTENING.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Listening {
  const callbacks = new Set<() => void>();
  const listener = () => {
    for (const callback of callbacks) callback();
  };
  const listening = { callbacks, listener };
  signal.addEventListener('abort', listener, { once: true });
  LISTENING.set(signal, listening);
  return listening;
}
