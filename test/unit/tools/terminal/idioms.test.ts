import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readIdioms, type Outcome } from './idioms/idioms.js';
import { inBash } from './idioms/in-bash.js';
import { inTerminal } from './idioms/in-terminal.js';

/** What bash did; `idioms/record.ts` records it again. */
const recorded = JSON.parse(readFileSync(new URL('idioms/recorded.json', import.meta.url), 'utf8')) as Record<
  string,
  Outcome
>;

/** Idioms whose difference is not a mistake, and why. */
const OTHERWISE_RIGHT: Readonly<Record<string, string>> = {
  'grep -rn TODO src': 'bash lists the files in the order of the directory, the terminal by name',
  'diff -u a.txt b.txt | tail -n +3': 'another choice of lines that is as short, and as right',
  "date -d 'next friday' +%a 2>/dev/null": 'the refusal is discarded by the idiom',
};

/** Least number of idioms that do as in bash. */
const SAME = 606;

/** An outcome without the widths of columns, which are not specified. */
function comparable({ stdout, exitCode, files }: Outcome): string {
  return JSON.stringify([stdout.replaceAll(/[ \t]+/gu, ' ').replaceAll(/^ /gmu, ''), exitCode, files]);
}

describe('idioms of bash', () => {
  it('do as in bash, or say what to use instead', async () => {
    let same = 0;
    const silent: string[] = [];
    for (const [idiom, expected] of Object.entries(recorded)) {
      const { stderr, ...outcome } = await inTerminal(idiom);
      if (comparable(outcome) === comparable(expected)) same += 1;
      else if (stderr === '' && OTHERWISE_RIGHT[idiom] === undefined) silent.push(idiom);
    }
    console.log(`${same} of ${Object.keys(recorded).length} idioms do as in bash`);
    expect(silent).toEqual([]);
    expect(same).toBeGreaterThanOrEqual(SAME);
  });

  it('are all recorded, from a real bash', () => {
    expect(Object.keys(recorded)).toEqual([...new Set(['common.txt', 'more.txt'].flatMap(readIdioms))]);
    const idiom = 'x=path/to/file.tar.gz; echo "${x%%.*} ${x##*/}"';
    expect(inBash(idiom)).toEqual({
      stdout: 'path/to/file file.tar.gz\n',
      stderr: '',
      exitCode: 0,
      files: {},
    });
  });
});

describe('commands that differ from those of bash', () => {
  it.each([
    ["sed 's/a\\.b/c\\.d/; s/i\\.e/a\\.c/' a.txt | head -1", 'alpha\n'],
    ['awk \'{n[$1]++; delete n["x"]} END{print n["beta"]}\' a.txt', '2\n'],
    [
      "jq -c '[.list[0], .version] as [$a, $b] | [$a, $b, {a: $a, b: $b}]' p.json",
      '[3,"1.2.3",{"a":3,"b":"1.2.3"}]\n',
    ],
    ['grep -ve alpha -e gamma a.txt', 'beta\nbeta\ndelta\n'],
    ['grep -Ec -e "^a" --regexp="^d" a.txt', '2\n'],
    ['cd src; grep -rl -A 1 TODO | sort', 'm.js\nn.ts\n'],
    ['grep -r --include="*.ts" TODO .', './src/n.ts:console.log(one); // TODO\n'],
    ['ls readme.md missing.txt a.txt 2>/dev/null', 'a.txt\nreadme.md\n'],
    ['case a/b/ in a*/) echo yes;; esac; x=a/b; echo ${x##*/}', 'yes\nb\n'],
    ['echo \'a */\' "b*/"', 'a */ b*/\n'],
    ['IFS=,; read -r a b <<< "1,2"; echo "$b"', '2\n'],
  ])('do as bash where they can: %s', async (line, stdout) => {
    expect(inBash(line).stdout).toBe(stdout);
    expect((await inTerminal(line)).stdout).toBe(stdout);
  });

  it('run nothing of a script that is refused', async () => {
    expect(await inTerminal('rm a.txt; for i; do echo "$i"; done')).toEqual({
      stdout: '',
      stderr: 'bash: a loop without "in" splits its arguments at spaces here. Write: for NAME in "$@"; do\n',
      exitCode: 1,
      files: {},
    });
  });
});
