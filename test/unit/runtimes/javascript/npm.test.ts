import { expect, it } from 'vitest';
import { javascript } from '../../../../src/runtimes/javascript/node.js';
import { printedBy } from '../harness.js';

const manifest = JSON.stringify({
  name: 'p',
  version: '1.2.3',
  scripts: {
    pretest: 'echo before',
    test: 'node --test',
    hi: 'echo "hi $npm_package_name" && pwd',
    bad: 'echo x && exit 3',
    jest: 'jest',
  },
});
const npm = (line: string, files: Record<string, string> = { '/package.json': manifest }) =>
  printedBy(javascript(), line, files);

it('runs scripts of package.json in the shell, with pre and post scripts and arguments', async () => {
  expect(await npm('mkdir -p src; cd src; npm run hi -- "a b"')).toBe(
    '\n> p@1.2.3 hi\n> echo "hi $npm_package_name" && pwd \'a b\'\n\nhi p\n/\n',
  );
  const files = { '/package.json': manifest, '/a.test.js': "require('node:test')('a', () => {})" };
  expect(await npm('npm test --silent', files)).toMatch(/^before\n✔ a .*\nℹ tests 1\n/u);
  expect(await npm('npm run bad; echo $?')).toMatch(/\nx\n3\n$/u);
});

it('lists the scripts, and names them when one is missing', async () => {
  expect(await npm('npm run')).toContain('  hi\n    echo "hi');
  expect(await npm('npm run nope')).toBe(
    'npm error Missing script: "nope" in /package.json. Its scripts: pretest, test, hi, bad, jest.\n[exit code]: 1',
  );
  expect(await npm('npm test', {})).toContain(
    'There is no package.json in / or above it. Create one with npm init -y.',
  );
  expect(await npm('npm test', { '/package.json': '{' })).toContain('/package.json is not valid JSON');
});

it('creates a package.json', async () => {
  expect(
    await npm(
      'mkdir App; cd App; npm init -y > /dev/null; grep -c "node --test" package.json; npm init -y',
      {},
    ),
  ).toBe('1\nnpm error /App/package.json exists already.\n[exit code]: 1');
});

it('says that nothing can be installed, and what to do', async () => {
  expect(await npm('npm install left-pad')).toContain(
    'left-pad cannot be installed: programs here have no network.',
  );
  expect(await npm('npm publish')).toContain('npm publish is not available here.');
  expect(await npm('npx jest')).toContain('jest is not here, and packages cannot be installed.');
  expect(await npm('npx node -p 1')).toBe('1\n');
  expect(await npm('npm run jest')).toContain(
    'Write tests with node:test and node:assert, and run them with node --test.',
  );
});
