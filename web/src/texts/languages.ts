import { LateCode } from '../loading/late-code.ts';
import type { Texts } from './en.ts';
import { en } from './en.ts';
import type { Language } from './preferred-language.ts';

const GERMAN = new LateCode(() => import('./de.ts'));
const LOADERS: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => en,
  de: async () => (await GERMAN.load()).de,
};

/** Rejects with `LateCodeError` without a connection. */
export const loadTexts = (language: Language): Promise<Texts> => LOADERS[language]();
