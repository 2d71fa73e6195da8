/** Listeners of something that changes. `subscribe` returns the function that removes the listener. */
export class Listeners<Listener = () => void> extends Set<Listener> {
  readonly subscribe = (listener: Listener): (() => void) => {
    this.add(listener);
    return () => void this.delete(listener);
  };
}
