import { describe, expect, test } from 'vitest';
import type { PolicyRule } from '../../../../src/agent/policy/policy.js';
import { play, run, shown, write } from './harness.js';

describe('the text that the model receives', () => {
  test('contains the command and its output', async () => {
    const { outputs } = await play([run('echo hello there'), run('echo hi')]);
    expect(outputs).toEqual([
      'Command Terminal.run_command executed:\n[command]: echo hello there \n[command output] : hello there\n',
      'Command Terminal.run_command executed:\n[command]: echo hi \n[command output] : hi\n (pay attention to this.)',
    ]);
  });

  test('A-218 includes standard error, and adds no line break to an output without one', async () => {
    const { outputs } = await play([run('echo out; echo err >&2'), run('printf "no line break"')]);
    expect(outputs.map(shown)).toEqual(['out\nerr\n', 'no line break']);
  });

  test('reports the exit code of a failed command', async () => {
    const { outputs } = await play([
      run('ls /nowhere'),
      run('python3 x.py'),
      run('cat < a | wc -l'),
      run('if ('),
    ]);
    expect(outputs.map(shown)).toEqual([
      'ls: /nowhere: No such file or directory\n[exit code]: 2',
      expect.stringMatching(
        /^bash: python3: command not found\npython3 is not part .*\n\[exit code\]: 127$/u,
      ),
      '0\nbash: a: No such file or directory\n',
      expect.stringMatching(/^bash: syntax error.*\n\[exit code\]: 2$/u),
    ]);
  });

  test('shows both ends of a long output and how to see the rest; also for a long command', async () => {
    const { outputs } = await play([run('seq 1 100'), run(`: ${'x'.repeat(3000)}`)], { maxOutput: 100 });
    expect(outputs[0]).toMatch(
      /: 1\n2\n[^]*\[… 192 characters left out\. To see it run the command again through head[^]*\n99\n100\n$/u,
    );
    expect(outputs[1]).toContain('[… 2002 characters left out.]');
  });

  test('A-255 shows the command first, then its output, then its end', async () => {
    const { events } = await play([run('echo one; echo two >&2')]);
    const mine = events.flatMap((event) => {
      if (event.type === 'command-start') return [[event.type, event.args['cmd']]];
      if (event.type === 'command-output-delta') return [[event.type, event.text]];
      return event.type === 'command-end' ? [[event.type, event.name]] : [];
    });
    expect(mine.slice(0, 3)).toEqual([
      ['command-start', 'echo one; echo two >&2'],
      ['command-output-delta', 'one\ntwo\n'],
      ['command-end', 'Terminal.run_command'],
    ]);
  });
});

describe('state that persists between commands', () => {
  test('A-216 includes the directory, shown without any marker', async () => {
    const { outputs } = await play([run('mkdir -p /a/b && cd /a/b'), run('pwd'), run('cd -; pwd')]);
    expect(outputs.map(shown)).toEqual(['', '/a/b\n', '/\n/\n']);
  });

  test('includes variables and functions until they are unset', async () => {
    const { outputs } = await play([
      run('export A="a  b"; B=$(printf "x\\ny"); greet() { echo "hello $1"; }'),
      run('echo "$A|$B"; greet you; unset A'),
      run('echo "[$A]"; greet() { echo "bye $1"; }; greet you'),
      run('greet you'),
    ]);
    expect(outputs.map(shown)).toEqual(['', 'a  b|x\ny\nhello you\n', '[]\nbye you\n', 'bye you\n']);
  });

  test('does not include options such as set -e', async () => {
    const { outputs } = await play([run('set -eu; false; echo no'), run('false; echo "$unset" still here')]);
    expect(outputs.map(shown)).toEqual(['\n[exit code]: 1', ' still here\n']);
  });

  test('does not include a huge variable; the others are not affected', async () => {
    const { outputs } = await play([run('A=1; B=$(printf "%50000s" x); C=2'), run('echo $A${#B}$C')]);
    expect(shown(outputs[1])).toBe('102\n');
  });

  test('reports a removed directory', async () => {
    const { outputs } = await play([run('mkdir /d; cd /d'), run('rm -r /d'), run('pwd')]);
    expect(shown(outputs[2])).toBe('/\n\n[The directory /d is gone; this command ran in /.]');
  });

  test('includes what the application sets at the start', async () => {
    const { outputs } = await play(
      [run('pwd; echo $NAME; NAME=new'), run('echo $NAME')],
      {
        workingDirectory: '/src',
        env: { NAME: 'given' },
      },
      { files: { '/src/a.ts': '' } },
    );
    expect(outputs.map(shown)).toEqual(['/src\ngiven\n', 'new\n']);
  });
});

describe('a shell that ends or hangs', () => {
  test('A-219 ends only this command on exit; keeps its file changes, discards its variables', async () => {
    const { outputs, files } = await play([
      run('A=1'),
      run('echo before > /f; A=2; cd /tmp; exit 3; echo after > /f'),
      run('exit'),
      run('echo $A; pwd; cat /f'),
    ]);
    expect(outputs.map(shown)).toEqual([
      '',
      expect.stringMatching(/^\n\[exit code\]: 3\n\[The shell ended here\./u),
      expect.stringContaining('[The shell ended here.'),
      '1\n/\nbefore\n',
    ]);
    expect(files).toEqual({ '/f': 'before\n' });
  });

  test.each(['while true; do :; done', 'echo half > /f; sleep 60', 'for ((;;)); do echo x >> /f; done'])(
    'A-219 %s is stopped at the time limit, changes nothing, and the terminal is ready again',
    async (endless) => {
      const { outputs, files } = await play([run('A=1'), run(endless), run('echo $A')], { timeoutMs: 200 });
      expect(outputs[1]).toMatch(
        /^Command Terminal\.run_command executed:The command was stopped after 0\.2 seconds/u,
      );
      expect(shown(outputs[2])).toBe('1\n');
      expect(files).toEqual({});
    },
  );

  test('limits endless growth, and names the limit', async () => {
    const { outputs } = await play([
      run('x=a; while true; do x=$x$x; done'),
      run('f() { f; }; f'),
      run('echo {1..99999}{1..99999}'),
      run('awk "BEGIN { while (1) {} }"'),
    ]);
    for (const output of outputs) expect(output).toMatch(/limit|maximum|exceeded/u);
  });

  test('is fast on patterns with catastrophic backtracking', async () => {
    const text = `${'a'.repeat(50)}!`;
    const { outputs } = await play([
      run(
        `echo ${text} | grep -E '^(a+)+$'; echo ${text} | sed -E 's/^(a|a)*$/x/' | wc -c; [[ ${text} =~ ^(a+)+$ ]] || echo no`,
      ),
    ]);
    expect(shown(outputs[0])).toBe('52\nno\n');
  });
});

describe('the files', () => {
  test('are those of the editor, both ways', async () => {
    const { outputs, files } = await play([
      write('/src/a.ts', 'TODO one\nkeep\nTODO one\n'),
      write('/src/b.ts', 'TODO two\n'),
      write('/data.json', '{"items":[{"n":1},{"n":41}]}'),
      run("grep -rnoh 'TODO [a-z]*' /src | cut -d: -f2 | sort | uniq -c | sort -rn"),
      run("sed -i 's/TODO/DONE/' /src/*.ts"),
      run("find /src -name '*.ts' -exec wc -l {} \\;"),
      run("jq '[.items[].n] | add' /data.json > /sum.txt"),
      ['Editor.read', { path: '/src/b.ts' }],
    ]);
    expect(shown(outputs[3])).toBe('   2 TODO one\n   1 TODO two\n');
    expect(shown(outputs[5])).toBe('3 /src/a.ts\n1 /src/b.ts\n');
    expect(outputs[7]).toContain('DONE two');
    expect(files).toEqual({
      '/src/a.ts': 'DONE one\nkeep\nDONE one\n',
      '/src/b.ts': 'DONE two\n',
      '/data.json': '{"items":[{"n":1},{"n":41}]}',
      '/sum.txt': '42\n',
    });
  });

  test('are stored after a command with an error code, as in any shell', async () => {
    const { files, events } = await play([run('echo a > /a; false')]);
    expect(files).toEqual({ '/a': 'a\n' });
    expect(events.filter(({ type }) => type === 'file-changed')).toEqual([
      { type: 'file-changed', path: '/a', change: 'written', by: 'agent' },
    ]);
  });

  test('can be bytes or text', async () => {
    const { outputs, files } = await play([
      run("printf 'äö€\\n' > /t; gzip -c /t > /t.gz; zcat /t.gz; base64 /t; wc -c < /t; rm /t.gz"),
    ]);
    expect(shown(outputs[0])).toBe('äö€\nw6TDtuKCrAo=\n8\n');
    expect(files).toEqual({ '/t': 'äö€\n' });
  });

  test('do not include devices and commands', async () => {
    const { outputs, files } = await play([
      run('ls /usr/bin/jq; which sed; echo x > /dev/null; cat /dev/null; cat <(echo sub); ls -A /'),
      run('cat /proc/version /etc/passwd; curl https://example.org'),
      run('echo evil > /usr/bin/ls'),
    ]);
    expect(shown(outputs[0])).toBe('/usr/bin/jq\n/usr/bin/sed\nsub\n');
    expect(shown(outputs[1])).toBe(
      'cat: /proc/version: No such file or directory\ncat: /etc/passwd: No such file or directory\nbash: curl: command not found\n[exit code]: 127',
    );
    expect(outputs[2]).toContain('permission denied');
    expect(files).toEqual({});
  });

  test('are protected as on Unix', async () => {
    const { outputs } = await play([
      write('/f', 'x\n'),
      run(
        'cat /no; cat /; cd /f; mkdir /f; mkdir /a/b; rm /no; rmdir /; mv /no /x; cp /no /x; ls /f/x; ln -s /f /l',
      ),
      run('cat ../../../etc/passwd'),
    ]);
    expect(shown(outputs[1]).split('\n')).toEqual([
      'cat: /no: No such file or directory',
      'cat: /: No such file or directory',
      'bash: cd: /f: Not a directory',
      "mkdir: cannot create directory '/f': File exists",
      "mkdir: cannot create directory '/a/b': No such file or directory",
      "rm: cannot remove '/no': No such file or directory",
      "rmdir: failed to remove '/': Directory not empty",
      "mv: cannot stat '/no': No such file or directory",
      "cp: cannot stat '/no': No such file or directory",
      'ls: /f/x: No such file or directory',
      expect.stringContaining('ln: '),
      '[exit code]: 1',
    ]);
    expect(shown(outputs[2])).toBe('cat: ../../../etc/passwd: No such file or directory\n[exit code]: 1');
  });

  test('have limits that are reported as shell errors', async () => {
    const { outputs, files } = await play([
      run('printf "%9000000s" x > /big'),
      run(`touch /${'n'.repeat(300)}; echo $?`),
      run('echo fine > /ok'),
    ]);
    expect(outputs[0]).toMatch(/No space left on device|no space left on device/u);
    expect(shown(outputs[1])).toMatch(/^1\ntouch: /u);
    expect(files['/ok']).toBe('fine\n');
  });
});

describe('background jobs', () => {
  const daemon = (cmd: string) => ['Terminal.run_command', { cmd, daemon: true }] as const;
  const fetch = (args: { job?: string; wait_seconds?: number } = {}) =>
    ['Terminal.get_stdout_output', args] as const;

  test('return a handle at once; output and changes arrive with the command that reads them', async () => {
    const { outputs, files } = await play([
      write('/in', '3\n1\n2\n'),
      daemon('sleep 0.05; sort /in > /out; cat /out'),
      run('ls /'),
      fetch({ job: '1', wait_seconds: 10 }),
      run('cat /out'),
      fetch(),
    ]);
    expect(outputs[1]).toContain('[job]: 1 was started in the background.');
    expect(shown(outputs[2])).toBe('in\n');
    expect(outputs[3]).toBe(
      'Command Terminal.get_stdout_output executed: [job]: 1 has ended.\n' +
        '[command]: sleep 0.05; sort /in > /out; cat /out \n[command output] : 1\n2\n3\n (pay attention to this.)\n[changed files]: /out',
    );
    expect(shown(outputs[4])).toBe('1\n2\n3\n');
    expect(outputs[5]).toBe('Command Terminal.get_stdout_output executed: There are no background jobs.');
    expect(files['/out']).toBe('1\n2\n3\n');
  });

  test('apply every kind of change on top of changes made meanwhile', async () => {
    const { files } = await play([
      write('/gone/a', 'a'),
      write('/turned/x', 'x'),
      write('/plain', 'p'),
      daemon(
        'rm -r /gone; rm -r /turned; echo file > /turned; rm /plain; mkdir -p /plain/deep; echo d > /plain/deep/d; echo job > /both',
      ),
      write('/both', 'editor'),
      write('/kept', 'k'),
      fetch({ wait_seconds: 10 }),
    ]);
    expect(files).toEqual({ '/turned': 'file\n', '/plain/deep/d': 'd\n', '/both': 'job\n', '/kept': 'k' });
  });

  test('work on a copy without the files that a rule forbids', async () => {
    const policy: PolicyRule[] = [{ tool: '*', path: '/secrets/**', do: 'deny' }];
    const { outputs, files } = await play(
      [
        daemon('ls /secrets; cat /secrets/pin; cat /in > /out'),
        fetch({ wait_seconds: 10 }),
        daemon('rm -r /secrets'),
        fetch({ wait_seconds: 11 }),
        run('cat /in'),
      ],
      {},
      { policy, files: { '/secrets/pin': 'PIN-9024', '/in': 'fine' } },
    );
    expect(outputs[0]).toContain('[job]: 1 was started in the background.');
    expect(outputs[1]).toContain('cat: /secrets/pin: No such file or directory');
    expect(outputs[1]).toContain('[changed files]: /out');
    expect(outputs[3]).toContain('forbids');
    expect(outputs.join()).not.toContain('PIN-9024');
    expect(files).toEqual({ '/secrets/pin': 'PIN-9024', '/in': 'fine', '/out': 'fine' });
  });

  test('are reported while running, can be stopped, and are limited in number', async () => {
    const { outputs, files } = await play([
      daemon('sleep 60; echo x > /x'),
      fetch(),
      daemon('sleep 61'),
      daemon('sleep 62'),
      daemon('sleep 63'),
      daemon('sleep 64'),
      ['Terminal.stop_job', { job: 1 }],
      fetch({ job: '1' }),
      ['Terminal.stop_job', { job: '2' }],
      ['Terminal.stop_job', { job: '3' }],
      ['Terminal.stop_job', { job: '4' }],
    ]);
    expect(outputs[1]).toBe('Command Terminal.get_stdout_output executed: [job]: 1 is still running.');
    expect(outputs[5]).toContain('There are 4 background jobs already.');
    expect(outputs[6]).toContain('Job 1 was stopped; its output and changes were discarded.');
    expect(outputs[7]).toContain('There is no background job 1. There is 2, 3, 4.');
    expect(files).toEqual({});
  });

  test('have their own time limit', async () => {
    const { outputs } = await play([daemon('while true; do :; done'), fetch({ wait_seconds: 10 }), fetch()], {
      jobTimeoutMs: 100,
    });
    expect(outputs[1]).toContain('[job]: 1 was aborted. The command was stopped after 0.1 seconds');
    expect(outputs[2]).toContain('There are no background jobs.');
  });
});
