// @ts-check
/** Collects the licenses of the packages whose code is in the bundles of `dist/`. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Packages with their dependencies in their own files: the paths of bundled modules do not show these. */
const PACKED = ['just-bash'];

/**
 * Returns name, version and license text of each package that a bundled module belongs to.
 *
 * @param {Iterable<string>} modules paths of the bundled modules
 * @throws Error that names the packages without a license text
 */
export function thirdPartyLicenses(modules) {
  const licenses = [...packagesOf(modules)].sort().map(([name, folder]) => licenseOf(name, folder));
  const missing = licenses.filter(({ text }) => text === '').map(({ heading }) => heading);
  if (missing.length > 0) throw new Error(`Bundled packages without a license text: ${missing.join('; ')}`);
  const texts = licenses.map(({ heading, text }) => `${heading}\n\n${text}\n`);
  return `The bundled files contain parts of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/**
 * Returns the folders of packages by name.
 * @param {Iterable<string>} modules
 */
function packagesOf(modules) {
  /** @type {Map<string, string>} */
  const packages = new Map();
  for (const id of modules) {
    const [, folder, name] =
      /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replaceAll('\\', '/')) ?? [];
    if (folder !== undefined && name !== undefined) packages.set(name, folder);
  }
  for (const name of PACKED) {
    const folder = packages.get(name);
    if (folder !== undefined) addDependencies(folder, packages);
  }
  return packages;
}

/**
 * Adds the dependencies of a package, and theirs.
 * @param {string} folder
 * @param {Map<string, string>} packages
 */
function addDependencies(folder, packages) {
  for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) {
    const found = installed(name, folder);
    if (found === undefined || packages.has(name)) continue;
    packages.set(name, found);
    addDependencies(found, packages);
  }
}

/**
 * Returns the folder of a dependency, as Node resolves it; undefined when it is not installed, as an optional one.
 * @param {string} name
 * @param {string} from
 * @returns {string | undefined}
 */
function installed(name, from) {
  const folder = join(from, 'node_modules', name);
  if (existsSync(folder)) return folder;
  return dirname(from) === from ? undefined : installed(name, dirname(from));
}

/**
 * @param {string} name
 * @param {string} folder
 */
function licenseOf(name, folder) {
  const { version, license } = manifestOf(folder);
  const file = readdirSync(folder).find(
    (entry) => /^(?:licen[cs]e|copying)/i.test(entry) && statSync(join(folder, entry)).isFile(),
  );
  const text =
    file === undefined
      ? licenseInReadme(folder) || licenseInSource(folder) || apacheLicense(folder)
      : readFileSync(join(folder, file), 'utf8').trim();
  return { heading: `${name} ${version} (${license})`, text };
}

/**
 * Returns the section of the README about the license: some packages have no other text. Empty when it is missing.
 * @param {string} folder
 */
function licenseInReadme(folder) {
  const readme = join(folder, 'README.md');
  if (!existsSync(readme)) return '';
  const [, section = ''] =
    /^#+ licen[cs]e\s*$([^]*?)(?=^#|(?![^]))/im.exec(readFileSync(readme, 'utf8')) ?? [];
  return section.trim();
}

/**
 * Returns the comment at the top of the main file if it is a license; empty otherwise.
 * @param {string} folder
 */
function licenseInSource(folder) {
  const path = join(folder, manifestOf(folder).main ?? 'index.js');
  if (!existsSync(path)) return '';
  const [comment = ''] = /^(?:\/\/.*\n)+/.exec(readFileSync(path, 'utf8')) ?? [];
  return comment.includes('Permission is hereby granted') ? comment.replaceAll(/^\/\/ ?/gm, '').trim() : '';
}

/**
 * Returns the Apache License, which has one text, with the author of a package that names it; empty otherwise.
 * @param {string} folder
 */
function apacheLicense(folder) {
  const { license, author } = manifestOf(folder);
  if (license !== 'Apache-2.0') return '';
  const text = readFileSync(new URL('../node_modules/typescript/LICENSE.txt', import.meta.url), 'utf8');
  return `Copyright ${typeof author === 'string' ? author : author.name}\n\n${text.trim()}`;
}

/** @param {string} folder */
function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
