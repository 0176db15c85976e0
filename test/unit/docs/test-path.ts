import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const tests = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the path of a test that a document names by its path below `test/unit` or `test`, without `.test.ts`. */
export function testPath(name: string): string | undefined {
  return [`${tests}unit/${name}.test.ts`, `${tests}${name}.test.ts`].find((path) => existsSync(path));
}

/** Like `testPath`, also for folders of tests. */
export function hasTest(name: string): boolean {
  return testPath(name) !== undefined || existsSync(`${tests}unit/${name}`) || existsSync(`${tests}${name}`);
}
