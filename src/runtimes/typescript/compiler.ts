import type TypeScript from 'typescript';
import { RoleZeroError } from '../../core/error.js';
import { isPage } from '../application-files.js';

/** TypeScript's programming interface. */
export type Compiler = typeof TypeScript;

/** Reads the files of TypeScript. */
export interface CompilerFiles {
  /** Loads `typescript.js` of a folder. Rejects when that fails. */
  load(folder: string): Promise<Compiler>;
  /** Returns the text at an address; null where it is missing. */
  text(address: string): Promise<string | null>;
}

/** Reads them from a server. */
export const compilerByFetch: CompilerFiles = {
  async load(folder) {
    const text = await compilerByFetch.text(`${folder}typescript.js`);
    if (text === null) throw new Error('typescript.js is missing.');
    // It is a script, which would set nothing that a module could import.
    const url = URL.createObjectURL(new Blob([text, '\nexport { ts };'], { type: 'text/javascript' }));
    try {
      const { ts } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ url)) as { ts: Compiler };
      return ts;
    } finally {
      URL.revokeObjectURL(url);
    }
  },
  async text(address) {
    const response = await fetch(address);
    return response.ok && !isPage(response) ? response.text() : null;
  },
};

const loadingCompilers = new Map<string, Promise<Compiler>>();

/**
 * Loads the compiler of a folder once. A failed attempt is repeated by the next program.
 *
 * @throws RoleZeroError that names the address.
 */
export function compilerOf(folder: string, files: CompilerFiles): Promise<Compiler> {
  const found =
    loadingCompilers.get(folder) ??
    files.load(folder).catch((error: unknown) => {
      loadingCompilers.delete(folder);
      throw new RoleZeroError(
        'tool-failed',
        `TypeScript could not be loaded from ${folder}: ${String(error)} It must be the address of a folder with typescript.js and the files lib.*.d.ts of the package typescript, version 5 or 6.`,
        { address: folder },
        error,
      );
    });
  loadingCompilers.set(folder, found);
  return found;
}

/**
 * Returns the texts of library declarations, with those that they reference, by file name such as `lib.es2024.d.ts`. The compiler reports
 * those that are missing.
 */
export async function librariesOf(
  names: readonly string[],
  folder: string,
  files: CompilerFiles,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const asked = new Set<string>();
  for (let batch = [...names]; batch.length > 0;) {
    const fresh = batch.filter((name) => !asked.has(name));
    for (const name of fresh) asked.add(name);
    const texts = await Promise.all(
      [...new Set(fresh)].map(async (name) => ({ name, text: await files.text(folder + name) })),
    );
    batch = [];
    for (const { name, text } of texts) {
      if (text === null) continue;
      found.set(name, text);
      batch.push(...referencedLibraries(text));
    }
  }
  return found;
}

/** Returns the files of the libraries that a text references. */
export function referencedLibraries(text: string): string[] {
  return [...text.matchAll(/^\s*\/\/\/\s*<reference\s+lib\s*=\s*["']([\w.]+)["']/gmu)].map(
    ([, name = '']) => `lib.${name.toLowerCase()}.d.ts`,
  );
}
