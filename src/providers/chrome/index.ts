export { chrome, chromeAvailability, prepareChrome, type ChromeOptions } from './chrome.js';
export type { LanguageModelFactory, LanguageModelSession, SamplingMode } from './language-model.js';
