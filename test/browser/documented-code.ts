import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Plugin } from 'vite';

const PREFIX = 'documented:';

/**
 * Provides the code samples of documents as modules: `documented:docs/guide.md/text` is the one TypeScript sample of that document which
 * contains the text.
 */
export function documentedCode(): Plugin {
  return {
    name: 'documented-code',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}.ts` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const path = id.slice(1 + PREFIX.length, -'.ts'.length);
      const [document, text] = [dirname(path), basename(path)];
      const samples = [...readFileSync(document, 'utf8').matchAll(/^```ts\n([^]*?)^```$/gm)].flatMap(
        ([, code = '']) => (code.includes(text) ? [code] : []),
      );
      const [code] = samples;
      if (code === undefined || samples.length > 1)
        throw new Error(`${samples.length} samples of ${document} contain ${text}, expected 1.`);
      return { code, moduleType: 'ts' };
    },
  };
}
