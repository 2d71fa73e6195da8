import { browserStorage, keepChoice } from '../storage/browser-storage.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const STORAGE_KEY = 'language';

const isLanguage = (text: string | null | undefined): text is Language =>
  text !== null && text !== undefined && Object.hasOwn(LANGUAGES, text);

/** The language that the person chose, or else the first of the browser's that exists. */
export function preferredLanguage(): Language {
  const chosen = browserStorage.getItem(STORAGE_KEY);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((name) => name.split('-')[0]).find(isLanguage) ?? 'en';
}

export function keepLanguage(language: Language): void {
  keepChoice(STORAGE_KEY, language);
}

/** The browser's locale if it is of this language, such as en-GB, or else the language. */
export function localeOf(language: Language): string {
  const own = navigator.languages.find((name) => name.split('-')[0] === language) ?? language;
  // A browser on a server without a locale has names such as en-US@posix.
  return Intl.NumberFormat.supportedLocalesOf([own.split('@')[0] as string])[0] ?? language;
}
