import { en, type Texts } from './en.js';
import type { Language } from './languages.js';

export type { Texts } from './en.js';
export { LANGUAGES, preferredLanguage, type Language } from './languages.js';

const others: Record<Exclude<Language, 'en'>, () => Promise<Texts>> = {
  zh: async () => (await import('./zh.js')).zh,
};

/** The texts of the current language; read it at render time. */
export let t: Texts = en;

/** Sets the language; the page must be rendered again. */
export async function speak(language: Language): Promise<void> {
  t = language === 'en' ? en : await others[language]();
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : language;
}

/** How the user writes times and numbers: their own variant of the shown language, such as `en-GB`. */
export function locale(): string {
  const { lang } = document.documentElement;
  const [language = ''] = lang.split('-');
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? lang;
}
