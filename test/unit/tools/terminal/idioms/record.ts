import { writeFileSync } from 'node:fs';
import { inBash } from './in-bash.js';
import { inTerminal } from './in-terminal.js';
import { readIdioms, type Outcome } from './idioms.js';

/**
 * Records what the machine's bash does with each idiom, in `recorded.json`, and prints where the terminal differs: `npm run test:idioms`.
 */
export async function main(): Promise<void> {
  const recorded: Record<string, Outcome> = {};
  for (const idiom of ['common.txt', 'more.txt'].flatMap(readIdioms)) {
    const { stderr, ...outcome } = inBash(idiom);
    recorded[idiom] = outcome;
    const { stderr: ownStderr, ...own } = await inTerminal(idiom);
    if (JSON.stringify(own) === JSON.stringify(outcome)) continue;
    console.log(
      `\n${idiom}\nbash:     ${JSON.stringify(outcome)} ${stderr}\nterminal: ${JSON.stringify(own)} ${ownStderr}`,
    );
  }
  writeFileSync(new URL('recorded.json', import.meta.url), `${JSON.stringify(recorded, null, 2)}\n`);
}
