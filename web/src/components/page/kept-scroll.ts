import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { useLocation, useSearch } from 'wouter';

/** Content that is read again can grow, and shrink for a moment: its height is the last one after so long without a change. */
const SETTLED_MS = 1_500;
const HANDS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Where each address was scrolled to. The browser restores only its own window, and the content has a scroll of its own. */
class KeptScroll {
  readonly #tops = new Map<string, number>();
  #element: HTMLElement | null = null;
  #address = '';
  /** The address that the page itself wrote last. Any other new address is one of Back or Forward. */
  #written: string | undefined;
  /** Where the address was scrolled to that Back or Forward led to. */
  #top = 0;
  #frame: number | undefined;

  /** @returns What ends it. */
  begin(element: HTMLElement | null): () => void {
    this.#element = element;
    this.#address = addressNow();
    const onScroll = () => {
      // A page that loads is too short, and moves by itself.
      if (this.#frame === undefined && element) this.#tops.set(this.#address, element.scrollTop);
    };
    element?.addEventListener('scroll', onScroll);
    const endNotes = this.#noteWrites();
    return () => {
      this.#stop();
      endNotes();
      element?.removeEventListener('scroll', onScroll);
    };
  }

  /** The address changed. Its page can be the one that shows, such as with a drawer over it, or come later. */
  move(): void {
    const address = addressNow();
    if (address === this.#address) return;
    this.#address = address;
    this.#stop();
    const isTraversal = this.#written !== address;
    this.#written = undefined;
    this.#top = isTraversal ? (this.#tops.get(address) ?? 0) : 0;
    if (isTraversal) this.#scrollTo(this.#top);
  }

  /** Called when another page shows, which begins at its top unless Back or Forward led to it. */
  show(): void {
    this.move();
    this.#scrollTo(this.#top);
  }

  /** Wraps the writes of the history, because its events come after the page may have been drawn for the address. */
  #noteWrites(): () => void {
    const { pushState, replaceState } = history;
    const noted =
      (write: History['pushState']): History['pushState'] =>
      (data, unused, url) => {
        const { pathname, search } = new URL(url ?? location.href, location.href);
        this.#written = pathname + search;
        write.call(history, data, unused, url);
      };
    history.pushState = noted(pushState);
    history.replaceState = noted(replaceState);
    return () => Object.assign(history, { pushState, replaceState });
  }

  /** Scrolls until the content has its height, unless the person scrolls first. */
  #scrollTo(top: number): void {
    this.#stop();
    const element = this.#element;
    if (!element) return;
    let height = 0;
    let deadline = 0;
    const step = () => {
      if (element.scrollHeight !== height) deadline = performance.now() + SETTLED_MS;
      height = element.scrollHeight;
      element.scrollTop = top;
      if (top === 0 || performance.now() > deadline) this.#stop();
      else this.#frame = requestAnimationFrame(step);
    };
    for (const hand of HANDS) window.addEventListener(hand, this.#stop, { passive: true });
    step();
  }

  readonly #stop = (): void => {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    for (const hand of HANDS) window.removeEventListener(hand, this.#stop);
  };
}

const addressNow = (): string => location.pathname + location.search;

const keptScroll = new KeptScroll();

/** Back and Forward return to where the content of an address was scrolled to. */
export function useKeptScroll(content: RefObject<HTMLElement | null>): void {
  const [path] = useLocation();
  const search = useSearch();
  useEffect(() => keptScroll.begin(content.current), [content]);
  useLayoutEffect(() => keptScroll.move(), [path, search]);
}

/** Every page calls it, so that another page begins at its top. */
export function usePageStart(): void {
  useLayoutEffect(() => keptScroll.show(), []);
}
