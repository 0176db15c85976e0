import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const pathOf = (name: string): string => fileURLToPath(new URL(`../../../scripts/${name}`, import.meta.url));

/** Isolates git from the user's configuration. */
const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Tester',
  GIT_AUTHOR_EMAIL: 'tester@example.com',
  GIT_COMMITTER_NAME: 'Tester',
  GIT_COMMITTER_EMAIL: 'tester@example.com',
};

let folder = '';
const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' });

/** Stores a release with these versions as a commit of `main`, as a runner has it. */
function release(version: string, createVersion = version): void {
  const manifest = (path: string, text: object) => writeFileSync(join(folder, path), JSON.stringify(text));
  manifest('package.json', { name: 'small', version });
  manifest('create/package.json', { name: 'create-small', version: createVersion });
  git('add', '--all');
  git('commit', '--quiet', '--message', 'a release');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
}

function verify(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [pathOf('verify-tag.mjs'), ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, output: (stdout + stderr).trim() };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rolezero-tag-'));
  mkdirSync(join(folder, 'create'));
  const sections = ['Unreleased\n', '0.2.0\n\n- Two.\n', '0.3.0-beta.1\n\n- Beta.\n', '0.3.0-1\n\n- Next.\n'];
  writeFileSync(
    join(folder, 'CHANGELOG.md'),
    ['# Changelog\n', ...sections.map((text) => `## ${text}`)].join('\n'),
  );
  git('init', '--quiet', '--initial-branch=main');
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the tag of a release', () => {
  it.each([
    ['0.2.0', 'dist-tag=latest', '- Two.'],
    ['0.3.0-beta.1', 'dist-tag=beta', '- Beta.'],
    ['0.3.0-1', 'dist-tag=next', '- Next.'],
  ])('v%s selects %s on npm, and its notes', (version, output, notes) => {
    release(version);
    expect(verify(`v${version}`)).toEqual({ status: 0, output });
    expect(verify(`v${version}`, '--notes')).toEqual({ status: 0, output: notes });
  });

  it('is rejected when it does not name the released version, or that has no notes', () => {
    release('0.2.0');
    expect(verify('v0.2.1').output).toBe('v0.2.1 is not the version in package.json, which is 0.2.0.');
    expect(verify('latest')).toEqual({ status: 1, output: 'latest is not a tag such as v0.2.0.' });
    release('0.2.0', '0.1.0');
    expect(verify('v0.2.0').output).toBe('v0.2.0 is not the version in create/package.json, which is 0.1.0.');
    release('0.4.0');
    expect(verify('v0.4.0').output).toBe('CHANGELOG.md has no section "## 0.4.0" with content.');
  });

  it('is rejected when its commit is not on main', () => {
    release('0.2.0');
    git('commit', '--quiet', '--allow-empty', '--message', 'another commit');
    const output = 'The commit of v0.2.0 is not on origin/main. Tag a commit of that branch.';
    expect(verify('v0.2.0')).toEqual({ status: 1, output });
  });
});

it('refuses to publish from a machine, and explains why', () => {
  const { status, stderr } = spawnSync(process.execPath, [pathOf('refuse-publishing.mjs')], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining('Only the workflow "Release" publishes')]);
});
