// @ts-check
/**
 * Verifies the tag of a release, in CI:
 *
 *     node scripts/verify-tag.mjs v0.2.0            prints the dist-tag for npm, as an output of a workflow: dist-tag=latest
 *     node scripts/verify-tag.mjs v0.2.0 --notes    prints the section of the changelog
 *
 * The tag must name the version of the package and of `create/`, its commit must be on `main`, and the changelog must have its section. On
 * an error, it prints one sentence and exits with 1. `--notes` does not look at the commit: it needs no history.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { changelogSection } from './changelog.mjs';

const MAIN = 'origin/main';
const [tag = '', ...options] = process.argv.slice(2);
const isForNotes = options.includes('--notes');
const version = tag.replace(/^v/, '');
const notes = changelogSection(version);
const problem = problemOf();
if (problem !== null) {
  console.error(problem);
  process.exitCode = 1;
} else console.log(isForNotes ? notes : `dist-tag=${distTag()}`);

/** @returns {string | null} */
function problemOf() {
  if (!/^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(tag))
    return `${tag || 'An empty text'} is not a tag such as v0.2.0.`;
  for (const path of ['package.json', 'create/package.json']) {
    const { version: packed } = JSON.parse(readFileSync(path, 'utf8'));
    if (packed !== version) return `${tag} is not the version in ${path}, which is ${packed}.`;
  }
  if (notes === '') return `CHANGELOG.md has no section "## ${version}" with content.`;
  if (!isForNotes && !isOnMain())
    return `The commit of ${tag} is not on ${MAIN}. Tag a commit of that branch.`;
  return null;
}

function isOnMain() {
  try {
    execFileSync('git', ['merge-base', '--is-ancestor', 'HEAD', MAIN], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A prerelease is installed on request only: 0.2.0-beta.1 with `npm install rolezero@beta`. */
function distTag() {
  const [, label] = /-([A-Za-z][0-9A-Za-z-]*)/.exec(version) ?? [];
  if (!version.includes('-')) return 'latest';
  return label === undefined || label === 'latest' ? 'next' : label;
}
