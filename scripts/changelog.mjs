// @ts-check
import { readFileSync } from 'node:fs';

/**
 * Returns the changelog section of a version, without its heading; empty when it is missing.
 * @param {string} version
 */
export function changelogSection(version) {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/[\s\]]/, 1)[0]?.replace('[', '') === version);
  return section?.slice(section.indexOf('\n')).trim() ?? '';
}
