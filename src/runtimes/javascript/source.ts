import { parse } from 'es-module-lexer/minimal/js';
import { transform } from 'sucrase';

const TYPED = /\.[cm]?tsx?$/u;
const JSX = /\.[jt]sx$/u;

/** Returns the text as JavaScript: without types, JSX and shebang. Lines remain where they are. @throws SyntaxError with path and line. */
export function toJavaScript(source: string, path: string): string {
  const text = source.replace(/^\uFEFF/u, '').replace(/^#!.*/u, '');
  const typed = TYPED.test(path);
  if (!typed && !JSX.test(path)) return text;
  try {
    return transform(text, {
      transforms: [
        ...(typed ? (['typescript'] as const) : []),
        ...(JSX.test(path) ? (['jsx'] as const) : []),
      ],
      disableESTransforms: true,
      jsxRuntime: 'classic',
      production: true,
    }).code;
  } catch (error) {
    const { message } = error as Error;
    throw new SyntaxError(`${path}: ${message.replace(/^Error transforming [^:]*: /u, '')}`);
  }
}

/** Returns whether a text has `import`, `export`, or `import.meta`, and so is an ES module. False when it cannot be parsed. */
export function isModule(source: string, path: string): boolean {
  try {
    const text = toJavaScript(source, path);
    const [imports, exports] = parse(text);
    const isStatic = imports.some(({ d }) => d < 0); // not `import()`
    return isStatic || exports.length > 0 || /^\s*export\s*\{\s*\}/mu.test(text);
  } catch {
    return false;
  }
}

/** Replaces `import.meta`, whose content the interpreter does not set, by an object of the library. */
export function withMeta(source: string, path: string): string {
  let places;
  try {
    places = parse(source)[0].filter(({ d }) => d === -2);
  } catch {
    return source; // the interpreter reports the error
  }
  let text = source;
  for (const { s, e } of places.toReversed())
    text = `${text.slice(0, s)}__meta(${JSON.stringify(path)})${text.slice(e)}`;
  return text;
}

/** Returns the names that a module imports from another one, or exports of it, by `specifier`. */
export function importedNames(source: string, specifier: string): string[] {
  const clauses = /\b(?:import|export)\s+([^'"();]+?)\s*\bfrom\s*(["'])(.+?)\2/gu;
  const names = new Set<string>();
  for (const [statement, clause = '', , from] of source.matchAll(clauses)) {
    if (from !== specifier) continue;
    const listed = /\{([^}]*)\}/u.exec(clause)?.[1] ?? '';
    for (const part of listed.split(',')) {
      const [, name] = /^\s*([\w$]+)/u.exec(part) ?? [];
      if (name !== undefined) names.add(name);
    }
    if (statement.startsWith('import') && /^[\w$]/u.test(clause)) names.add('default');
  }
  return [...names];
}
