// @ts-check
/** `prepublishOnly`: refuses `npm publish` on a developer's machine. The workflow publishes tarballs, for which npm runs no scripts. */
import { PUBLISHING } from './publishing.mjs';

console.error(PUBLISHING);
process.exitCode = 1;
