import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

interface Manifest {
  homepage: string;
  bugs: string;
  repository: { type: string; url: string };
  engines: { node: string };
}
interface Lock {
  packages: Record<string, { engines?: { node?: string } }>;
}

type Version = readonly number[];

const versionOf = (text: string): Version => text.split('.').map((part) => Number.parseInt(part, 10) || 0);

function isAtLeast(version: Version, least: Version): boolean {
  const at = [0, 1, 2].find((index) => (version[index] ?? 0) !== (least[index] ?? 0));
  return at === undefined || (version[at] ?? 0) > (least[at] ?? 0);
}

/** Returns whether a range of `engines` accepts a version. @throws Error for a form that no dependency uses. */
function accepts(range: string, version: Version): boolean {
  return range.split('||').some((part) => {
    const [, operator, text = ''] = /^(\*|>=|\^|)\s*([\d.x]*)$/.exec(part.trim()) ?? [];
    if (operator === undefined) throw new Error(`Unknown range of engines: ${range}`);
    if (operator === '*') return true;
    const least = versionOf(text);
    return (operator === '>=' || version[0] === least[0]) && isAtLeast(version, least);
  });
}

describe('package.json', () => {
  const { homepage, bugs, repository, engines } = JSON.parse(read('package.json')) as Manifest;

  it('names repository, home page and issues, at the address that the README links to', () => {
    const address = /^git\+(https:\/\/.+)\.git$/.exec(repository.url)?.[1];
    expect(repository.type).toBe('git');
    const site = address?.replace(/^https:\/\/github\.com\/([^/]+)\/(.+)$/, 'https://$1.github.io/$2/'); // GitHub Pages
    expect([homepage, bugs]).toEqual([site, `${address}/issues`]);
    expect(read('README.md')).toContain(`<${site}>`);
    expect(JSON.parse(read('create/package.json'))).toMatchObject({ homepage });
    expect(read('README.md')).toContain(`](${address}/blob/main/CONTRIBUTING.md)`);
  });

  it('installs without EBADENGINE warnings on the oldest supported Node', () => {
    const oldest = versionOf(/^>=([\d.]+)$/.exec(engines.node)?.[1] ?? '');
    const { packages } = JSON.parse(read('package-lock.json')) as Lock;
    const refusing = Object.entries(packages).flatMap(([path, { engines: { node } = {} }]) =>
      node === undefined || accepts(node, oldest) ? [] : [`${path}: ${node}`],
    );
    expect(refusing).toEqual([]);
    expect(accepts('^20.20.0 || >=22', oldest)).toBe(false);
  });
});
