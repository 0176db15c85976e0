import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thirdPartyLicenses } from '../../../scripts/third-party-licenses.mjs';

let folder = '';

function install(path: string, files: Record<string, string | object>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, 'node_modules', path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const manifest = (more: object = {}) => ({ version: '1.0.0', license: 'MIT', ...more });
const moduleOf = (path: string): string => join(folder, 'node_modules', path);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rolezero-licenses-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the licenses of bundled packages', () => {
  it('are collected from a file or the README, also of what a package has packed into its own files', () => {
    install('@a/one', { 'package.json': manifest(), 'LICENSE.md': 'Text of one.' });
    install('just-bash', {
      'package.json': manifest({ dependencies: { nested: '1', optional: '1' } }),
      COPYING: 'Text of just-bash.',
    });
    install('just-bash/node_modules/nested', {
      'package.json': manifest({ version: '2.0.0', dependencies: { deep: '1' } }),
      'README.md': '# nested\n\n## License\n\nText of nested.\n\n## Next\n\nOther.\n',
    });
    install('deep', { 'package.json': manifest({ license: 'ISC' }), license: 'Text of deep.' });
    install('unused', { 'package.json': manifest(), LICENSE: 'Text of unused.' });
    const modules = [
      moduleOf('@a/one/index.js'),
      moduleOf('just-bash/dist/a.js'),
      join(folder, 'src/own.js'),
    ];
    const parts = thirdPartyLicenses(modules).split(/\n-{80}\n\n/);
    expect(parts).toEqual([
      'The bundled files contain parts of these packages.\n\n@a/one 1.0.0 (MIT)\n\nText of one.\n',
      'deep 1.0.0 (ISC)\n\nText of deep.\n',
      'just-bash 1.0.0 (MIT)\n\nText of just-bash.\n',
      'nested 2.0.0 (MIT)\n\nText of nested.\n',
    ]);
  });

  it('stop the build when one has no text', () => {
    install('bare', { 'package.json': manifest(), 'README.md': '# bare\n' });
    expect(() => thirdPartyLicenses([moduleOf('bare/index.js')])).toThrow(
      'Bundled packages without a license text: bare 1.0.0 (MIT)',
    );
  });
});
