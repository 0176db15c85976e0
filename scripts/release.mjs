/**
 * Makes a release of the package in the current folder:
 *
 *     npm run release -- 0.2.0 --dry-run    everything except commit and tag; the folder is unchanged
 *     npm run release -- 0.2.0              commits and tags
 *
 * The workflow `.github/workflows/release.yml` publishes a pushed tag. Requires a clean tree, a version higher than the last, and its section in the changelog; builds, packs, and inspects the tarball.
 * On an error, it prints one sentence, exits with 1, and leaves nothing behind.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changelogSection } from './changelog.mjs';
import { PUBLISHING } from './publishing.mjs';

/** Files that no tarball may contain: development files and private data. */
const NOT_FOR_USERS =
  /(^|\/)(test|tests|node_modules|reports|demo|\.git[^/]*|\.env[^/]*)\/|\.(tgz|pem|key)$|(^|\/)\.env/;
const PAPERS = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
const MAX_BYTES = 20_000_000;
const CREATE = 'create/package.json';

/** A release requirement is not met. */
class NotReady extends Error {}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean' }, publish: { type: 'boolean' } },
});
try {
  release(positionals, { dryRun: values['dry-run'] === true, publish: values.publish === true });
} catch (error) {
  if (!(error instanceof NotReady)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function release([version, ...more], { dryRun, publish }) {
  if (publish) throw new NotReady(PUBLISHING);
  if (version === undefined || more.length > 0)
    throw new NotReady('Pass the version: npm run release -- 0.2.0 [--dry-run]');
  const manifest = readManifest();
  checkVersion(version, manifest.version);
  checkTree();
  const notes = sectionOf(version);
  console.log(`${manifest.name} ${manifest.version} → ${version}\n\n${notes}\n`);

  const scratch = mkdtempSync(join(tmpdir(), 'release-'));
  let made = false;
  try {
    npm('version', version, '--no-git-tag-version', '--ignore-scripts', '--allow-same-version');
    setCreateVersion(version);
    npm('run', 'build');
    const [pack] = JSON.parse(npm('pack', '--json', '--ignore-scripts', '--pack-destination', scratch));
    checkTarball(pack, version);
    console.log(`${pack.filename}: ${pack.files.length} files, ${(pack.size / 1e6).toFixed(2)} MB packed`);
    if (dryRun) {
      console.log('Dry run: nothing is committed or tagged.');
      return;
    }
    git('commit', '--quiet', '--all', '--message', `release: ${version}`);
    made = true;
    git('tag', '--annotate', `v${version}`, '--message', notes);
    console.log(`Tagged v${version}. To publish it, push the tag: git push --follow-tags`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    if (!made) git('checkout', '--quiet', '--', '.'); // The tree was clean: only the version has changed.
  }
}

function readManifest() {
  return JSON.parse(readFileSync('package.json', 'utf8'));
}

function checkVersion(version, before) {
  const [next, last] = [version, before].map((text) => /^(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?$/.exec(text));
  if (next === null) throw new NotReady(`${version} is not a version such as 0.2.0 or 0.2.0-beta.1.`);
  if (last === null) throw new NotReady(`The version in package.json, ${before}, cannot be parsed.`);
  const tagged = git('tag', '--list', `v${version}`).trim() !== '';
  if (tagged) throw new NotReady(`The tag v${version} already exists.`);
  const [one, other] = [next, last].map((match) => match.slice(1, 4).map(Number));
  const place = one.findIndex((number, index) => number !== other[index]);
  // The first release may have the current version; a release follows its own prereleases.
  const higher = place === -1 ? next[4] === undefined || last[4] !== undefined : one[place] > other[place];
  if (!higher) throw new NotReady(`${version} is not higher than ${before}.`);
}

function checkTree() {
  const changed = git('status', '--porcelain').trim();
  if (changed !== '') throw new NotReady(`The tree is not clean. Commit or stash:\n${changed}`);
}

/** Returns the changelog section of a version. */
function sectionOf(version) {
  const notes = changelogSection(version);
  if (notes === '')
    throw new NotReady(
      `CHANGELOG.md has no section "## ${version}" with content: move the entries under Unreleased to it.`,
    );
  return notes;
}

/** `npm create rolezero` is released with the same version. */
function setCreateVersion(version) {
  if (!existsSync(CREATE)) return;
  const manifest = readFileSync(CREATE, 'utf8');
  writeFileSync(CREATE, manifest.replace(/("version": ")[^"]*/, `$1${version}`));
}

function checkTarball({ name, version: packed, size, files }, version) {
  const paths = new Set(files.map(({ path }) => path));
  const problems = [
    ...(packed === version ? [] : [`it is ${name} ${packed}`]),
    ...PAPERS.filter((path) => !paths.has(path)).map((path) => `${path} is missing`),
    ...targetsOf(readManifest().exports)
      .filter((target) => !isPacked(target, paths))
      .map((path) => `${path}, which package.json exports, is missing`),
    ...[...paths].filter((path) => NOT_FOR_USERS.test(path)).map((path) => `${path} must not be in it`),
    ...files.filter((file) => file.size === 0).map(({ path }) => `${path} is empty`),
    ...(size <= MAX_BYTES ? [] : [`it has ${size} bytes, more than ${MAX_BYTES}`]),
  ];
  if (problems.length > 0) throw new NotReady(`The tarball is invalid: ${problems.join('; ')}.`);
}

/** Returns whether the tarball has the file, or for a pattern such as `dist/tools/*` a file that matches. */
function isPacked(target, paths) {
  const [start, end] = target.split('*');
  return end === undefined
    ? paths.has(target)
    : [...paths].some((path) => path.startsWith(start) && path.endsWith(end));
}

/** Files in an `exports` field, for any condition. */
function targetsOf(exports) {
  if (typeof exports === 'string') return [exports.replace(/^\.\//, '')];
  return Object.values(exports ?? {}).flatMap(targetsOf);
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' });
}

/** Runs a program. Prints its standard error and returns its standard output. */
function npm(...args) {
  const shell = process.platform === 'win32'; // On Windows it is a batch file.
  return execFileSync('npm', ['--no-audit', '--no-fund', '--loglevel=error', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell,
  });
}
