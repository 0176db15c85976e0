import { afterEach, describe, expect, test } from 'vitest';
import { connect, sessions, type AgentEvent, type Session } from 'rolezero';
import { commands } from 'rolezero/testing';
import type { TerminalOptions } from 'rolezero/tools/terminal';

type Step = readonly [name: string, args: Record<string, string | number | boolean>];

const run = (cmd: string): Step => ['Terminal.run_command', { cmd }];
const write = (path: string, content: string): Step => ['Editor.write', { path, content }];

/** A loop that keeps its worker busy. Each round takes long enough that no machine reaches the limit of 100,000 commands first. */
const ENDLESS = 'while true; do sort /big > /dev/null; done';
const BIG = Array.from({ length: 5_000 }, (_, line) => `${(line * 7_919) % 10_007}\n`).join('');

const open = new Set<Session>();
const names = new Set<string>();

afterEach(async () => {
  for (const session of open) await session.close();
  open.clear();
  for (const name of names) await sessions.remove(name);
  names.clear();
});

/** An agent that gives the commands one a reply and ends; its worker can be killed. */
async function agent(
  steps: readonly Step[],
  { name = crypto.randomUUID(), options }: { name?: string; options?: TerminalOptions } = {},
): Promise<{ session: Session; worker: Worker; name: string }> {
  const worker = new Worker(new URL('./terminal.worker.ts', import.meta.url), { type: 'module' });
  const think = [...steps.map((step) => commands(step)), commands(['end', {}])];
  const session = await connect(worker, {
    session: name,
    takeOver: true,
    config: { script: { think }, options },
  });
  open.add(session);
  names.add(name);
  return { session, worker, name };
}

async function outputs(events: AsyncIterable<AgentEvent>): Promise<string[]> {
  const found: string[] = [];
  for await (const event of events)
    if (event.type === 'command-end' && event.name !== 'end')
      found.push(event.output.split('[command output] : ')[1] ?? event.output);
  return found;
}

/** Resolves when a command of this text has begun. */
function begun(session: Session, cmd: string): Promise<void> {
  return new Promise((resolve) => {
    session.on((event) => {
      if (event.type === 'command-start' && event.args['cmd'] === cmd) resolve();
    });
  });
}

describe('a shell in a worker of its own', () => {
  test('works on the files of the editor, and remembers', async () => {
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

  test('finds everything again after a reload', async () => {
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
    'A-219 ends %s at the time limit, discards its changes, and gives the next command a shell',
    async (endless) => {
      const { session } = await agent([write('/big', BIG), run('A=1'), run(endless), run('echo $A; ls /')], {
        options: { timeoutMs: 300 },
      });
      const shown = await outputs(session.send('go'));
      expect(shown[2]).toContain('The command was stopped after 0.3 seconds');
      expect(shown[3]).toBe('1\nbig\n (pay attention to this.)');
    },
  );

  test('a stop ends a command that never would, and the run goes on with a new shell', async () => {
    const endless = `echo x >> /f; ${ENDLESS}`;
    const { session, name } = await agent([write('/big', BIG), run('echo before > /b'), run(endless)]);
    const started = begun(session, endless);
    const going = session.send('go');
    await started;
    going.stop();
    expect(await going.result()).toMatchObject({ status: 'stopped' });
    await session.close();
    // The reply was kept, so the same command is run again; this time its shell is given less time.
    const again = await agent([run('cat /b; ls /')], { name, options: { timeoutMs: 300 } });
    const shown = await outputs(again.session.resume());
    expect(shown[0]).toContain('The command was stopped after 0.3 seconds');
    expect(shown[1]).toBe('before\nb\nbig\n');
  });

  test('killed in the middle of a command, together with its agent, its effects are there exactly once', async () => {
    const slow = 'echo line >> /log; N=$((N + 1)); sleep 0.5; echo $N >> /log';
    const { session, worker, name } = await agent([run('echo first > /log; N=1'), run(slow)]);
    const started = begun(session, slow);
    const going = session.send('go');
    await started;
    worker.terminate();
    void going.result().catch(() => undefined);
    open.delete(session);
    void session.close().catch(() => undefined);

    const again = await agent([run('cat /log')], { name });
    expect((await outputs(again.session.resume())).at(-1)).toBe('first\nline\n2\n');
  });

  test('a job runs beside the agent; lost with the page, it runs again and counts once', async () => {
    const cmd = 'sleep 0.2; echo job >> /log; cat /log';
    const daemon: Step = ['Terminal.run_command', { cmd, daemon: true }];
    const fetch: Step = ['Terminal.get_stdout_output', { job: '1', wait_seconds: 20 }];
    const { session, name } = await agent([write('/log', 'start\n'), daemon]);
    await session.send('go').result();
    expect(await session.files.read('/log')).toBe('start\n');
    await session.close();
    const again = await agent([fetch], { name });
    expect(await outputs(again.session.send('fetch it'))).toEqual([
      'start\njob\n (pay attention to this.)\n[changed files]: /log',
    ]);
    expect(await again.session.files.read('/log')).toBe('start\njob\n');
  });

  test.each([
    "grep -E '^(a+)+$' /evil",
    "grep -P '^(a|aa)+$' /evil",
    "sed -nE 's/^(([a-z])+.)+[A-Z]([a-z])+$/x/p' /evil",
    "awk '/^(a|a?)+$/ { print }' /evil",
    "rg '(a*)*b$' /evil",
    'while read -r l; do [[ $l =~ ^(a+)+$ ]] && echo yes; done < /evil',
    'jq -R \'test("^(a+)+$")\' /evil',
    "find / -regex '.*/(e+v*)+x'",
  ])('a pattern made to take for ever does not: %s', async (hostile) => {
    const { session } = await agent(
      [run('A=kept'), write('/evil', `${'a'.repeat(200)}!\n`), run(hostile), run('echo $A')],
      {
        options: { timeoutMs: 1500 },
      },
    );
    const shown = await outputs(session.send('go'));
    // It comes to an end by itself, or is ended with the bound and the way to raise it; the shell works on either way.
    if (shown[2]?.includes('The command was stopped'))
      expect(shown[2]).toMatch(/after 1\.5 seconds .* terminal\(\{ timeoutMs \}\)/u);
    else expect(shown[2]).not.toMatch(/^yes|^x|aaa/u);
    expect(shown[3]).toBe('kept\n (pay attention to this.)');
  });

  test('there is no network unless it is allowed, and then only where it is', async () => {
    const { href: here } = new URL('./terminal.worker.ts', import.meta.url);
    const closed = await agent([run(`curl ${here}`)]);
    expect(await outputs(closed.session.send('go'))).toEqual([
      'bash: curl: command not found\n[exit code]: 127',
    ]);
    const allowed = await agent(
      [run(`curl -s -o /page ${here} ; grep -c serve /page; curl -s https://example.org/; echo $?`)],
      {
        options: { network: { urls: [location.origin] } },
      },
    );
    const [shown] = await outputs(allowed.session.send('go'));
    expect(shown).toMatch(/^[1-9]\d*\n7\n/u);
    expect(await allowed.session.files.read('/page')).toContain('new RoleZero');
    expect((await allowed.session.files.stat('/page'))?.untrusted).toEqual([location.origin]);
  });
});

test('a worker that does not start ends the run with a hint for the programmer', async () => {
  const worker = new Worker(new URL('./lost.worker.ts', import.meta.url), { type: 'module' });
  const session = await connect(worker, { session: crypto.randomUUID() });
  open.add(session);
  names.add(session.name);
  expect(await session.send('go').result()).toMatchObject({
    status: 'failed',
    error: {
      code: 'worker-start',
      message: expect.stringContaining('rolezero/tools/terminal/inline') as string,
    },
  });
});
