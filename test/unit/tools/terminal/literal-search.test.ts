import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bash } from '../../../../src/tools/terminal/just-bash.js';
import {
  literalsOf,
  withLiteralSearch,
  type BuiltIn,
} from '../../../../src/tools/terminal/literal-search.js';

type Files = Record<string, string>;

/** A shell with the interpreter's own `rg`, and one with the fast one. */
function shells(files: Files): { plain: Bash; fast: Bash } {
  const [plain, fast] = [new Bash({ files, cwd: '/d' }), new Bash({ files, cwd: '/d' })];
  const rg = (fast['commands'] as ReadonlyMap<string, BuiltIn>).get('rg');
  if (rg === undefined) throw new Error('There is no rg.');
  fast.registerCommand(withLiteralSearch(rg));
  return { plain, fast };
}

const resultOf = async (bash: Bash, command: string) => {
  const { stdout, stderr, exitCode } = await bash.exec(command);
  return { stdout, stderr, exitCode };
};

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

describe('a search for literals', () => {
  it.each<[args: string[], literals: string[] | null]>([
    [['needle'], ['needle']],
    [['-n', 'Needle', 'src'], ['Needle']],
    [['-nic', '-g', '*.ts', 'two words'], ['two words']],
    [
      ['--glob=*.ts', '-e', 'one', '-e', 'two', 'dir'],
      ['one', 'two'],
    ],
    [['one|two'], ['one', 'two']],
    [['f\\(x\\)'], ['f(x)']],
    [['-F', 'a.b|c'], ['a.b|c']],
    [['-m1', 'x'], ['x']],
    [['a.b'], null],
    [['a|b+'], null],
    [['\\bword'], null],
    [['é'], null],
    [['-v', 'x'], null],
    [['-A', '2', 'x'], null],
    [['-C3', 'x'], null],
    [['--files'], null],
    [['--json', 'x'], null],
    [['-U', 'x'], null],
    [[''], null],
    [[], null],
  ])('is recognized in rg %j: %j', (args, literals) => {
    expect(literalsOf(args)).toEqual(literals);
  });

  it('has the output of the interpreter for any files, texts, and options', async () => {
    const line = fc.constantFrom(
      ...['', 'one needle', 'NEEDLE', 'needles and needle', 'need', 'a|b', 'f(x)', 'caf\u00e9 needle'],
      ...['\u212a and \u017f', 'k s', 'x\0needle', '\u00c9\u00e9', '  needle  ', 'tab\tneedle'],
    );
    const content = fc
      .tuple(fc.array(line, { maxLength: 6 }), fc.boolean())
      .map(([lines, isEnded]) => lines.join('\n') + (isEnded ? '\n' : ''));
    const pattern = fc.constantFrom('needle', 'Needle', 'need|one', 'f\\(x\\)', 'k', 's', 'a|b', ' ', 'nope');
    const flags = fc.subarray([
      '-n',
      '-i',
      '-c',
      '-l',
      '-w',
      '-o',
      '-F',
      '-s',
      '-H',
      '-I',
      '-m1',
      '-x',
      '-q',
      '-S',
      '-N',
    ]);
    const rest = fc.constantFrom(
      '',
      ' .',
      ' /d/a.txt',
      ' s',
      " -g '*.js'",
      ' --column',
      ' --vimgrep',
      ' --heading',
      ' --hidden',
      ' -v',
      ' -A1',
      ' -uu',
      ' --count-matches',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(content, { minLength: 4, maxLength: 4 }),
        pattern,
        flags,
        rest,
        async ([a = '', b = '', c = '', d = ''], text, options, where) => {
          const files = {
            '/d/a.txt': a,
            '/d/s/b.js': b,
            '/d/s/c.md': c,
            '/d/.h': d,
            '/d/.gitignore': '*.md\n',
          };
          const { plain, fast } = shells(files);
          const command = ['rg', ...options, quoted(text)].join(' ') + where;
          expect(await resultOf(fast, command), command).toEqual(await resultOf(plain, command));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('reads standard input as before', async () => {
    const { plain, fast } = shells({ '/d/a.txt': 'one\nneedle\n' });
    const command = 'cat a.txt | rg -n needle; rg needle < a.txt';
    expect(await resultOf(fast, command)).toEqual(await resultOf(plain, command));
  });

  it('gives the interpreter the lines with the text, and none after them', async () => {
    const read: string[] = [];
    const rg: BuiltIn = {
      name: 'rg',
      async execute(_, { fs }) {
        for (const path of ['/a.txt', '/b.txt', '/c.bin']) read.push(String(await fs.readFileBytes?.(path)));
        return { stdout: '', stderr: '', exitCode: 0 };
      },
    };
    const bash = new Bash({
      files: { '/a.txt': 'one\ntwo\nA Needle\nfour\nfive\n', '/b.txt': 'nothing\n', '/c.bin': 'x\0\n' },
    });
    bash.registerCommand(withLiteralSearch(rg));
    await bash.exec('rg needle');
    expect(read).toEqual(['\n\nA Needle\n', '', 'x\0\n']);
  });
});
