import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/release.mjs', import.meta.url));

/** Isolates git and npm from the user's configuration. An unreachable registry shows that nothing is published. */
const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|GIT_)/i.test(name))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Tester',
  GIT_AUTHOR_EMAIL: 'tester@example.com',
  GIT_COMMITTER_NAME: 'Tester',
  GIT_COMMITTER_EMAIL: 'tester@example.com',
  npm_config_registry: 'http://127.0.0.1:9',
  npm_config_fetch_retries: '0',
};

let folder = '';
const at = (path: string): string => join(folder, path);
const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' });
const commit = (): void => {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'a change');
};

/** Runs the script in a small package that builds quickly. Returns its exit code and output. */
function release(...args: string[]): { status: number | null; answers: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, answers: stdout + stderr };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rolezero-release-'));
  const manifest = {
    name: 'small',
    version: '0.1.0',
    files: ['dist', 'CHANGELOG.md'],
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    scripts: { build: 'node build.mjs' },
  };
  writeFileSync(at('package.json'), JSON.stringify(manifest));
  writeFileSync(
    at('build.mjs'),
    `import { cpSync, mkdirSync } from 'node:fs';
     mkdirSync('dist', { recursive: true });
     for (const name of ['index.js', 'index.d.ts']) cpSync('src/index.js', 'dist/' + name);`,
  );
  mkdirSync(at('src'));
  writeFileSync(at('src/index.js'), 'export const one = 1;\n');
  writeFileSync(at('README.md'), '# small\n');
  writeFileSync(at('LICENSE'), 'MIT\n');
  writeFileSync(at('.gitignore'), 'dist\n');
  writeFileSync(
    at('CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n\n## 0.2.0\n\n- Two.\n\n## 0.1.0\n\n- One.\n',
  );
  git('init', '--quiet', '--initial-branch=main');
  commit();
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('npm run release', { timeout: 120_000 }, () => {
  it('runs all steps in a dry run, and leaves the folder unchanged', () => {
    const before = [git('rev-parse', 'HEAD'), readFileSync(at('package.json'), 'utf8')];
    const { status, answers } = release('0.2.0', '--dry-run');
    expect([status, answers]).toEqual([0, expect.stringContaining('small 0.1.0 → 0.2.0')]);
    expect(answers).toContain('- Two.');
    expect(answers).not.toContain('- One.');
    expect(answers).toMatch(/small-0\.2\.0\.tgz: 6 files/);
    expect([git('rev-parse', 'HEAD'), readFileSync(at('package.json'), 'utf8')]).toEqual(before);
    expect([git('status', '--porcelain'), git('tag'), existsSync(at('small-0.2.0.tgz'))]).toEqual([
      '',
      '',
      false,
    ]);
  });

  it('commits and tags, with the same version of create/', () => {
    mkdirSync(at('create'));
    writeFileSync(at('create/package.json'), '{\n  "name": "create-small",\n  "version": "0.1.0"\n}\n');
    commit();
    const { status, answers } = release('0.2.0');
    expect([status, answers]).toEqual([
      0,
      expect.stringContaining('Tagged v0.2.0. To publish it, push the tag: git push --follow-tags'),
    ]);
    expect(git('show', 'v0.2.0:create/package.json')).toBe(
      '{\n  "name": "create-small",\n  "version": "0.2.0"\n}\n',
    );
    expect(git('tag').trim()).toBe('v0.2.0');
    expect(git('log', '-1', '--format=%s').trim()).toBe('release: 0.2.0');
    expect(JSON.parse(git('show', 'v0.2.0:package.json'))).toMatchObject({ version: '0.2.0' });
    expect(git('status', '--porcelain')).toBe('');
  });

  it('rejects a package that is not ready, and says what to do', () => {
    const cases: [string[], string][] = [
      [[], 'Pass the version'],
      [['two'], 'two is not a version'],
      [['0.0.9', '--dry-run'], '0.0.9 is not higher than 0.1.0.'],
      [['0.1.0-beta.1', '--dry-run'], '0.1.0-beta.1 is not higher than 0.1.0.'],
      [['0.3.0', '--dry-run'], 'CHANGELOG.md has no section "## 0.3.0"'],
      [['0.2.0', '--publish'], 'Not published. Only the workflow "Release" publishes'],
    ];
    for (const [args, why] of cases) {
      const { status, answers } = release(...args);
      expect([args, status, answers]).toEqual([args, 1, expect.stringContaining(why)]);
    }
    writeFileSync(at('src/index.js'), 'export const one = 2;\n');
    expect([git('tag'), git('log', '--format=%s').trim()]).toEqual(['', 'a change']);
    const unclean = release('0.2.0', '--dry-run');
    expect([unclean.status, unclean.answers]).toEqual([1, expect.stringContaining('The tree is not clean')]);
    expect(readFileSync(at('src/index.js'), 'utf8')).toBe('export const one = 2;\n'); // Uncommitted changes are not stashed.
  });

  it('inspects the tarball', () => {
    writeFileSync(
      at('build.mjs'),
      `import { mkdirSync, writeFileSync } from 'node:fs';
      mkdirSync('dist/test', { recursive: true });
      writeFileSync('dist/test/secret.js', '1');
      writeFileSync('dist/index.js', '');`,
    );
    commit();
    const { status, answers } = release('0.2.0', '--dry-run');
    expect(status).toBe(1);
    expect(answers).toContain('dist/index.d.ts, which package.json exports, is missing');
    expect(answers).toContain('dist/test/secret.js must not be in it');
    expect(answers).toContain('dist/index.js is empty');
    expect(git('status', '--porcelain')).toBe('');
  });
});
