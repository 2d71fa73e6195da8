import './search.css';
import type { Place } from './search.ts';

const FIELDS = 'input, textarea, select, [contenteditable]';

/** Opens the search with the button, with `/` and with Ctrl+K. The index is loaded then. */
export function installSearch(button: HTMLElement, root: URL): void {
  let dialog: SearchDialog | undefined;
  const open = () => {
    dialog ??= new SearchDialog(root);
    dialog.open();
  };
  button.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isCommand = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    const isTyping = event.target instanceof Element && event.target.closest(FIELDS) !== null;
    if (!isCommand && !(isSlash && !isTyping)) return;
    event.preventDefault();
    open();
  });
}

interface Finder {
  find(query: string): Place[];
}

/** A combobox with a list of places (ARIA, "editable combobox with list autocomplete"). */
class SearchDialog {
  readonly #root: URL;
  readonly #dialog = document.createElement('dialog');
  readonly #field = document.createElement('input');
  readonly #list = document.createElement('div');
  readonly #status = document.createElement('p');
  #finder: Finder | undefined;
  #isLoading = false;
  #options: HTMLAnchorElement[] = [];
  #active = -1;

  constructor(root: URL) {
    this.#root = root;
    this.#dialog.className = 'docs-search';
    this.#dialog.ariaLabel = 'Search the documentation';
    this.#list.id = 'search-results';
    setAttributes(this.#field, {
      type: 'search',
      role: 'combobox',
      placeholder: 'Search guides, operations, errors, commands',
      'aria-label': 'Search the documentation',
      'aria-autocomplete': 'list',
      'aria-controls': this.#list.id,
      'aria-expanded': 'false',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      enterkeyhint: 'go',
    });
    setAttributes(this.#list, { role: 'listbox', 'aria-label': 'Results' });
    setAttributes(this.#status, { role: 'status' });
    const form = document.createElement('div');
    const close = document.createElement('button');
    setAttributes(close, { type: 'button', 'aria-label': 'Esc: close the search' });
    close.textContent = 'Esc';
    close.addEventListener('click', () => this.#dialog.close());
    form.className = 'field';
    form.append(this.#field, close);
    this.#dialog.append(form, this.#status, this.#list);
    document.body.append(this.#dialog);
    this.#field.addEventListener('input', () => this.#show());
    this.#field.addEventListener('keydown', (event) => this.#onKey(event));
    this.#dialog.addEventListener('click', ({ target }) => {
      // Outside of the box, or a place of the same page.
      if (target === this.#dialog || (target instanceof Element && target.closest('a'))) this.#dialog.close();
    });
  }

  open(): void {
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#field.focus();
    this.#field.select();
    if (!this.#isLoading && !this.#finder) void this.#load();
  }

  async #load(): Promise<void> {
    this.#status.textContent = 'Loading the index';
    this.#isLoading = true;
    try {
      this.#finder = (await import('./built-index.ts')).search;
    } catch {
      this.#status.textContent = 'The index did not load. Close the search and open it again.';
      return;
    } finally {
      this.#isLoading = false;
    }
    this.#show();
  }

  #show(): void {
    const query = this.#field.value;
    if (!this.#finder) return;
    const places = this.#finder.find(query);
    this.#options = places.map((place, index) => this.#optionOf(place, index));
    this.#list.replaceChildren(...this.#options);
    this.#list.scrollTop = 0;
    this.#field.ariaExpanded = String(places.length > 0);
    const isEmpty = query.trim() === '';
    this.#status.textContent = isEmpty
      ? 'Type a word, a variable, an error code, a status or a command.'
      : places.length === 0
        ? 'Nothing found. Try fewer or other words.'
        : `${places.length} ${places.length === 1 ? 'result' : 'results'}`;
    this.#activate(places.length > 0 ? 0 : -1);
  }

  #optionOf(place: Place, index: number): HTMLAnchorElement {
    const option = document.createElement('a');
    setAttributes(option, {
      role: 'option',
      id: `search-result-${index}`,
      tabindex: '-1',
      'aria-selected': 'false',
    });
    option.href = new URL(place.address, this.#root).href;
    option.append(
      ...(['kind', 'title', 'page', 'excerpt'] as const).map((name) => {
        const part = document.createElement('span');
        part.className = name;
        part.textContent = place[name];
        return part;
      }),
    );
    option.addEventListener('pointermove', () => this.#activate(index));
    return option;
  }

  #onKey(event: KeyboardEvent): void {
    // Enter ends the composition of a character first.
    if (event.isComposing) return;
    const last = this.#options.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: this.#active >= last ? 0 : this.#active + 1,
      ArrowUp: this.#active <= 0 ? last : this.#active - 1,
      PageDown: Math.min(last, this.#active + 5),
      PageUp: Math.max(0, this.#active - 5),
    };
    const next = moves[event.key];
    if (next !== undefined && last >= 0) {
      event.preventDefault();
      this.#activate(next);
      this.#options[next]?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#options[this.#active]?.click();
    } else if (event.key === 'Escape') {
      // The field would only be cleared.
      event.preventDefault();
      this.#dialog.close();
    }
  }

  #activate(index: number): void {
    this.#options[this.#active]?.setAttribute('aria-selected', 'false');
    this.#active = index;
    const option = this.#options[index];
    option?.setAttribute('aria-selected', 'true');
    if (option) this.#field.setAttribute('aria-activedescendant', option.id);
    else this.#field.removeAttribute('aria-activedescendant');
  }
}

function setAttributes(element: HTMLElement, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
