/**
 * `npm run test:record -- v2`: records session exports of this release into a new folder of test/fixtures/sessions,
 * which test/unit/chaos/corpus.long.test.ts opens. Run it after the format has changed; never change a recorded
 * folder.
 */
import { fileURLToPath } from 'node:url';
import { record } from './record-sessions.js';

export async function main([version = 'v1']: readonly string[]): Promise<void> {
  const written = await record(fileURLToPath(new URL(`../fixtures/sessions/${version}`, import.meta.url)));
  console.log(`${written.length} sessions: ${written.join('; ')}`);
}
