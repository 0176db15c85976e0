import { basename, dirname } from 'node:path';
import type { Plugin } from 'vite';
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
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}.ts` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const path = id.slice(1 + PREFIX.length, -'.ts'.length);
      return { code: documentedSample(dirname(path), 'ts', basename(path)), moduleType: 'ts' };
    },
  };
}
