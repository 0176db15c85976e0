import { parse } from 'es-module-lexer/minimal/js';
import { RoleZeroError } from '../../core/error.js';
import { absoluteAddress, isPage } from '../application-files.js';

/** The files of the packages that programs may import; plain data. */
export interface PackageFiles {
  /** Text of each file, by address. */
  texts: Record<string, string>;
  /** Address of the first file of each package, by name. */
  names: Record<string, string>;
  /** For each file, the address of what its imports name. */
  imports: Record<string, Record<string, string>>;
}

/** Maximum number of files of all packages. */
const MAX_PACKAGE_FILES = 500;
/** Maximum characters of all files of packages. */
const MAX_PACKAGE_CHARACTERS = 32 * 1024 * 1024;

/**
 * Fetches packages with all files that they import, before any program runs: programs have no network.
 *
 * @param packages the address of the first file of each package, by name
 * @throws RoleZeroError `tool-failed` that names the package and the address
 */
export async function fetchPackages(packages: Readonly<Record<string, string>>): Promise<PackageFiles> {
  const names: Record<string, string> = {};
  const waiting: { name: string; address: string }[] = [];
  for (const [name, given] of Object.entries(packages)) {
    const address = absolute(name, given);
    names[name] = address;
    waiting.push({ name, address });
  }
  const found: PackageFiles = { texts: {}, names, imports: {} };
  let left = MAX_PACKAGE_CHARACTERS;
  for (let batch = waiting; batch.length > 0;) {
    const fresh = new Map(batch.map((file) => [file.address, file]));
    for (const address of Object.keys(found.texts)) fresh.delete(address);
    const files = await Promise.all(
      [...fresh.values()].map(async (file) => ({ ...file, text: await fetchFile(file) })),
    );
    batch = [];
    for (const { name, address, text } of files) {
      left -= text.length;
      if (left < 0 || Object.keys(found.texts).length >= MAX_PACKAGE_FILES) throw packagesTooLarge(name);
      found.texts[address] = text;
      found.imports[address] = packageImports(text, address, names);
      batch.push(...Object.values(found.imports[address]).map((next) => ({ name, address: next })));
    }
  }
  return found;
}

function absolute(name: string, address: string): string {
  try {
    return absoluteAddress(address);
  } catch (error) {
    throw packageError(name, `${address} is not an address.`, error);
  }
}

async function fetchFile({ name, address }: { name: string; address: string }): Promise<string> {
  const response = await fetch(address).catch((error: unknown) => {
    throw packageError(name, `${address} does not answer: ${String(error)}.`, error);
  });
  if (!response.ok) throw packageError(name, `${address} answers with HTTP ${response.status}.`);
  if (isPage(response)) throw packageError(name, `${address} is a page, not a module.`);
  return response.text();
}

/** Returns what a file imports by a relative or absolute address, or by the name of another package that is allowed. */
function packageImports(
  text: string,
  address: string,
  names: Readonly<Record<string, string>>,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const specifier of specifiersOf(text, address)) {
    if (/^(?:\.{0,2}\/|https?:)/u.test(specifier)) found[specifier] = new URL(specifier, address).href;
    else if (Object.hasOwn(names, specifier)) found[specifier] = names[specifier] ?? '';
  }
  return found;
}

function specifiersOf(text: string, address: string): string[] {
  if (new URL(address).pathname.endsWith('.json')) return [];
  const required = [...text.matchAll(/\brequire\(\s*(["'])([^"'\n]+)\1\s*\)/gu)].map(
    ([, , name = '']) => name,
  );
  try {
    const [imports] = parse(text);
    const named = imports.flatMap(({ n }) => (n === undefined ? [] : [n]));
    return named.length > 0 ? named : required;
  } catch {
    return required; // the interpreter reports the mistake
  }
}

function packagesTooLarge(name: string): RoleZeroError {
  return packageError(
    name,
    `all packages together have more than ${MAX_PACKAGE_FILES} files or ${MAX_PACKAGE_CHARACTERS} characters. Bundle them.`,
  );
}

function packageError(name: string, reason: string, cause?: unknown): RoleZeroError {
  return new RoleZeroError(
    'tool-failed',
    `The package ${name} could not be loaded: ${reason}`,
    { name },
    cause,
  );
}
