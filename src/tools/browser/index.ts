export { browser } from './browser.js';
