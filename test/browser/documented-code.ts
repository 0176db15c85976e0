import { basename, dirname } from 'node:path';
import { transformWithOxc, type Plugin } from 'vite';
import { documentedSample } from '../documented-sample.js';

const PREFIX = 'documented:';

/**
 * Provides the code samples of documents as modules: `documented:docs/guide.md/text` is the one TypeScript sample of that document which
 * contains the text.
 */
export function documentedCode(): Plugin {
  return {
    name: 'documented-code',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const path = id.slice(1 + PREFIX.length);
      // Vite itself leaves types in modules without a file.
      const { code } = await transformWithOxc(
        documentedSample(dirname(path), 'ts', basename(path)),
        'sample.ts',
      );
      return { code, moduleType: 'js' };
    },
  };
}
