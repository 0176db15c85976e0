export { fingerprint } from '../base/fingerprint.js';
