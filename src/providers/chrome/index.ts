export { chrome, prepareChrome } from './chrome.js';
