import { en, type Texts } from './en.js';

export type { Texts } from './en.js';

/** The languages there are, by what they are called in themselves. A further one is a file like `en.ts` and a line here. */
export const LANGUAGES = { en: 'English', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;

const others: Record<Exclude<Language, 'en'>, () => Promise<Texts>> = {
  zh: async () => (await import('./zh.js')).zh,
};

/** The texts of the language in use; read it when something is shown. */
export let t: Texts = en;

/** Says everything in a language from now on; the page then has to be shown again. */
export async function speak(language: Language): Promise<void> {
  t = language === 'en' ? en : await others[language]();
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : language;
}

/** The first of the user's languages there are texts in. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split('-')[0] ?? '';
    if (Object.hasOwn(LANGUAGES, language)) return language as Language;
  }
  return 'en';
}
