import { describe, expect, test } from 'vitest';
import { agent, BIG, ENDLESS, outputs, run, useSessions, write } from './terminal-agent.js';

useSessions();

describe('a shell in its own worker', () => {
  test('works on the files of the editor and preserves its state', async () => {
    const { session } = await agent([
      write('/src/a.txt', 'b\na\nb\n'),
      run('cd /src && sort a.txt | uniq -c | sort -rn > counts.txt; X=kept; say() { echo "said $1"; }'),
      run('pwd; say $X; cat counts.txt'),
      run('sed -i s/b/c/ a.txt; find . -name "*.txt" -exec wc -l {} \\; | sort; grep -rn c /src'),
      run(
        'jq -n "{a: 1}" > /j.json; jq .a /j.json; cat /none; printf "x" | gzip | zcat; echo aGkK | base64 -d; md5sum /j.json | cut -c1-4',
      ),
      ['Editor.read', { path: '/src/counts.txt' }],
    ]);
    const shown = await outputs(session.send('go'));
    expect(shown.slice(1, 5)).toEqual([
      ' (pay attention to this.)',
      '/src\nsaid kept\n   2 b\n   1 a\n',
      '2 ./counts.txt\n3 ./a.txt\n/src/a.txt:1:c\n/src/a.txt:3:c\n',
      '1\nxhi\nf920\ncat: /none: No such file or directory\n',
    ]);
    expect(shown[5]).toContain('2 b');
    expect(await session.files.read('/src/a.txt')).toBe('c\na\nc\n');
  });

  test('restores everything after a reload', async () => {
    const first = await agent([
      write('/a', 'one\n'),
      run('mkdir /d; cd /d; N=5; f() { cat /a; }; echo $N > n'),
    ]);
    await first.session.send('go').result();
    await first.session.close();
    const second = await agent([run('pwd; echo $N; cat n; f')], { name: first.name });
    expect(await outputs(second.session.send('go on'))).toEqual(['/d\n5\n5\none\n']);
  });

  test.each([ENDLESS, 'echo half > /f; sleep 60'])(
    'A-219 ends %s at the time limit, discards its changes, and gives the next command a new shell',
    async (endless) => {
      const { session } = await agent([write('/big', BIG), run('A=1'), run(endless), run('echo $A; ls /')], {
        options: { timeoutMs: 2000 }, // long enough for the other commands on a busy machine
      });
      const shown = await outputs(session.send('go'));
      expect(shown[2]).toContain('The command was stopped after 2 seconds');
      expect(shown[3]).toBe('1\nbig\n (pay attention to this.)');
    },
  );
});
