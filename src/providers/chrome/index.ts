export { chrome, chromeAvailability, type ChromeOptions } from './chrome.js';
export type { LanguageModelFactory, LanguageModelSession } from './language-model.js';
