import '@fontsource-variable/inter/index.css';
import '../theme/tokens.css';
import './frame.css';
import { browserStorage, keepChoice } from '../storage/browser-storage.ts';
import { installSearch } from './search/dialog.ts';

/** Scalar reads the same name. */
const COLOURS = 'colorMode';

type Colours = 'light' | 'dark';

/** The root of the service, which a proxy may serve below a prefix. */
export const root = new URL('.', (document.querySelector('.brand') as HTMLAnchorElement).href);

/** Adds what all pages of the documentation have: the search and the choice of colours. */
export function startFrame(): void {
  document.documentElement.dataset.script = '';
  installColours(document.querySelector('.colours') as HTMLElement);
  installSearch(document.querySelector('button.search') as HTMLElement, root);
}

function installColours(button: HTMLElement): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const show = () => {
    const kept = browserStorage.getItem(COLOURS);
    const isKept = kept === 'light' || kept === 'dark';
    const colours = isKept ? kept : system.matches ? 'dark' : 'light';
    document.documentElement.dataset.mantineColorScheme = colours;
    // For Scalar.
    document.body.classList.toggle('dark-mode', colours === 'dark');
    document.body.classList.toggle('light-mode', colours === 'light');
    button.textContent = colours === 'dark' ? 'Light' : 'Dark';
    button.ariaLabel = colours === 'dark' ? 'Light colours' : 'Dark colours';
    return colours;
  };
  button.addEventListener('click', () => {
    const other: Colours = show() === 'dark' ? 'light' : 'dark';
    keepChoice(COLOURS, other);
    show();
  });
  system.addEventListener('change', show);
  show();
}
