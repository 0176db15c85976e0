import { compile } from 'svelte/compiler';
import type { Plugin } from 'vite';

/** Compiles the Svelte components of tests. */
export function svelteFiles(): Plugin {
  return {
    name: 'svelte-files',
    transform(code, id) {
      if (!id.endsWith('.svelte')) return null;
      const { js } = compile(code, { filename: id, generate: 'client' });
      return { code: js.code, map: js.map };
    },
  };
}
