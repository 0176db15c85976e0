import { en, type Texts } from './en.js';

export type { Texts } from './en.js';

/** The languages by their own names. To add one, create a file like `en.ts` and add a line here. */
export const LANGUAGES = { en: 'English', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;

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

/** The first of the user's languages with texts. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split('-')[0] ?? '';
    if (Object.hasOwn(LANGUAGES, language)) return language as Language;
  }
  return 'en';
}

/** How the user writes times and numbers: their own variant of the shown language, such as `en-GB`. */
export function locale(): string {
  const { lang } = document.documentElement;
  const [language = ''] = lang.split('-');
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? lang;
}
