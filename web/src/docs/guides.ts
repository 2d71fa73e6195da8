/** What Scalar passes for each Markdown text that it shows. */
export interface ShownMarkdown {
  readonly element: HTMLElement;
}

interface Position {
  readonly id: string;
  readonly top: number;
}

/**
 * The guides, which the page has as HTML from the start. Scalar knows only their headings, for its list and its search,
 * because it takes seconds for their Markdown. Their sections move to its headings as soon as it shows them.
 */
export class Guides {
  readonly #root: HTMLElement;
  readonly #sections: ReadonlyMap<string, HTMLElement>;
  /** Sections that wait for their heading. */
  readonly #waiting: Set<HTMLElement>;
  /** The first section that the reader sees, unless that is the beginning. */
  #position: Position | undefined;

  constructor(root: HTMLElement) {
    const sections = [...root.querySelectorAll<HTMLElement>('section')];
    this.#root = root;
    this.#sections = new Map(sections.map((section) => [section.id, section]));
    this.#waiting = new Set(sections);
  }

  has(id: string): boolean {
    return this.#sections.has(id);
  }

  /** The headings as Markdown. */
  get headings(): string {
    return [...this.#sections.values()]
      .map(({ firstElementChild: heading }) => `${'#'.repeat(levelOf(heading))} ${heading?.textContent}`)
      .join('\n\n');
  }

  /** Lets the guides cover the page while Scalar makes its own behind them. Links lead to the guides until then, because they come first. */
  cover(): void {
    const { scrollY } = window;
    const root = this.#root;
    const isOperation = location.hash !== '' && !this.has(location.hash.slice(1));
    if (!isOperation) {
      if (scrollY > 0) this.#position = this.#findPosition();
      // Not when it is needed: the browser would compute the places of everything that Scalar added until then.
      root.addEventListener('scroll', () => {
        this.#position = this.#findPosition();
      });
      // Scalar would move the reader to the start of the section.
      history.replaceState(null, '', location.pathname + location.search);
    }
    root.classList.add('cover');
    root.scrollTop = scrollY;
  }

  /** Puts a section in the place of the heading that Scalar shows. */
  readonly show = ({ element }: ShownMarkdown): (() => void) | undefined => {
    const place = element.parentElement;
    const section = this.#sections.get(place?.id ?? '');
    if (!place || !section) return undefined;
    element.hidden = true;
    section.removeAttribute('id');
    place.append(section);
    this.#waiting.delete(section);
    if (this.#waiting.size === 0) this.#uncover();
    return () => section.remove();
  };

  #findPosition(): Position | undefined {
    for (const [id, section] of this.#sections) {
      const { top, bottom } = section.getBoundingClientRect();
      // A section that ends soon may get another height when its end leaves the window.
      if (top >= 0 || bottom > innerHeight) return { id, top };
    }
    return undefined;
  }

  #uncover(): void {
    if (!this.#root.isConnected) return;
    this.#root.remove();
    const { id = '', top = 0 } = this.#position ?? {};
    const place = document.getElementById(id);
    if (place) keepInPlace(place, top);
  }
}

/** Sections get their real heights when the browser draws them, and Scalar then writes another address, so one step is not enough. */
function keepInPlace(place: Element, top: number, frames = 5): void {
  scrollBy({ top: place.getBoundingClientRect().top - top, behavior: 'instant' });
  history.replaceState(null, '', `#${place.id}`);
  if (frames > 1) requestAnimationFrame(() => keepInPlace(place, top, frames - 1));
}

function levelOf(heading: Element | null): number {
  return Number(heading?.tagName.slice(1));
}
