export { browser, type BrowserOptions } from './browser.js';
