import { describe, expect, it } from 'vitest';
import { javascript } from '../../../../src/runtimes/javascript/node.js';
import { play, run, shown } from '../terminal/harness.js';
import { EditorHarness } from './harness.js';

const COMPOSED = 'r\u00e9sum\u00e9.txt';
const DECOMPOSED = COMPOSED.normalize('NFD');

describe.each([
  ['composed', COMPOSED, DECOMPOSED],
  ['decomposed', DECOMPOSED, COMPOSED],
])('a file with a %s name', (_, name, otherForm) => {
  it('is found in both forms', async () => {
    const editor = await EditorHarness.over({ [`/d/${name}`]: 'one\n' });
    expect(await editor.run('open_file', { path: `/d/${otherForm}` })).toContain('001|one');
    expect(await editor.run('find_file', { file_name: otherForm.slice(0, -4) })).toContain(`/d/${COMPOSED}`);
    expect(await editor.run('find_file', { file_name: `${otherForm.slice(0, 3)}*` })).toContain(
      `/d/${COMPOSED}`,
    );
    expect((await editor.files.list('/d')).map(({ path }) => path)).toEqual([`/d/${COMPOSED}`]);
    expect(await editor.files.glob(`*${otherForm.slice(1)}`)).toHaveLength(1);
  });

  it('has one content, whatever form it is written under', async () => {
    const editor = await EditorHarness.over({ [`/${name}`]: 'one\n' });
    await editor.run('write', { path: otherForm, content: 'two\n' });
    expect(await editor.files.list('/', { recursive: true })).toHaveLength(1);
    expect(await editor.files.read(name)).toBe('two\n');
  });

  it('is found by the shell and by programs', async () => {
    const { outputs } = await play(
      [
        run(`echo one > ${name}; cat ${otherForm}; ls; cp ${name} ${otherForm}`),
        run(`node -p "require('fs').readFileSync('${otherForm}', 'utf8')"`),
      ],
      { runtimes: [javascript()] },
    );
    expect(shown(outputs[0])).toMatch(new RegExp(`^one\\n${COMPOSED}\\n.*are the same file`, 'u'));
    expect(shown(outputs[1])).toContain('one\n');
  });
});

it('searches contents in both forms', async () => {
  const editor = await EditorHarness.over({
    '/a.txt': `x\nthe ${'résumé'.normalize('NFD')}\n`,
    '/b.txt': 'résumé\n',
  });
  for (const form of ['NFC', 'NFD']) {
    const output = await editor.run('search_dir', { search_term: 'résumé'.normalize(form) });
    expect(output).toContain('[Found 2 matches');
    expect(output).toContain('/a.txt (Line 2): the résumé');
  }
});
