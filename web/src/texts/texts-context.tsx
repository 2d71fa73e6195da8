import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import type { ImportError } from '../api/schemas.ts';
import { en, type Texts } from './en.ts';
import { errorText } from './error-text.ts';
import { createFormat, type Format } from './format.ts';
import { importErrorText } from './import-error-text.ts';
import { isolateTexts } from './isolate.ts';
import { loadTexts } from './languages.ts';
import { keepLanguage, type Language, localeOf, preferredLanguage } from './preferred-language.ts';

interface TextsState {
  readonly texts: Texts;
  readonly format: Format;
  readonly language: Language;
  choose(language: Language): void;
}

const TextsContext = createContext<TextsState | undefined>(undefined);

/** Texts and formats of the chosen language. It shows nothing until they are there. */
export function TextsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(preferredLanguage);
  const [texts, setTexts] = useState<Texts | undefined>(language === 'en' ? en : undefined);

  useEffect(() => {
    document.documentElement.lang = language;
    let isCurrent = true;
    const load = () =>
      loadTexts(language).then(
        (loaded) => isCurrent && setTexts(loaded),
        // Better the wrong language than an empty page.
        () => isCurrent && setTexts((shown) => shown ?? en),
      );
    void load();
    const retry = () => void load();
    window.addEventListener('online', retry);
    return () => {
      isCurrent = false;
      window.removeEventListener('online', retry);
    };
  }, [language]);

  const choose = useCallback((next: Language) => {
    keepLanguage(next);
    setLanguage(next);
  }, []);
  const state = useMemo(
    () =>
      texts && {
        texts: isolateTexts(texts),
        format: createFormat(localeOf(language), texts.app.relative.now),
        language,
        choose,
      },
    [texts, language, choose],
  );
  return state ? <TextsContext value={state}>{children}</TextsContext> : null;
}

function useTextsState(): TextsState {
  const state = useContext(TextsContext);
  if (!state) throw new Error('Texts need a TextsProvider above them.');
  return state;
}

export const useTexts = (): Texts => useTextsState().texts;

/** Describes an error in the language of the page. */
export function useErrorText(): (error: unknown) => string {
  const { errors } = useTexts();
  return useCallback((error) => errorText(error, errors), [errors]);
}

/** Describes what is wrong with a row of an import in the language of the page. */
export function useImportErrorText(): (error: ImportError) => string {
  const texts = useTexts();
  const format = useFormat();
  return useCallback((error) => importErrorText(error, texts, format), [texts, format]);
}

export const useFormat = (): Format => useTextsState().format;
export const useLanguage = (): Pick<TextsState, 'language' | 'choose'> => useTextsState();
