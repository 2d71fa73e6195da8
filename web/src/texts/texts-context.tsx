import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { en, type Texts } from './en.ts';
import { createFormat, type Format } from './format.ts';
import { isolateTexts } from './isolate.ts';
import { keepLanguage, type Language, loadTexts, localeOf, preferredLanguage } from './languages.ts';

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
    void loadTexts(language).then((loaded) => {
      if (isCurrent) setTexts(loaded);
    });
    return () => {
      isCurrent = false;
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
export const useFormat = (): Format => useTextsState().format;
export const useLanguage = (): Pick<TextsState, 'language' | 'choose'> => useTextsState();
