import { describe, expect, test } from 'vitest';
import { connect, type Session } from 'rolezero';
import {
  agent,
  begun,
  killDuring,
  BIG,
  ENDLESS,
  names,
  open,
  outputs,
  run,
  type Step,
  useSessions,
  write,
} from './terminal-agent.js';

useSessions();

describe('a shell in its own worker', () => {
  test('a stop ends an endless command, and the run continues with a new shell', async () => {
    const endless = `echo x >> /f; ${ENDLESS}`;
    const { session, name } = await agent([write('/big', BIG), run('echo before > /b'), run(endless)]);
    const started = begun(session, endless);
    const going = session.send('go');
    await started;
    going.stop();
    expect(await going.result()).toMatchObject({ status: 'stopped' });
    await session.close();
    // The reply was stored, so the same command is run again; this time its shell gets less time.
    const again = await agent([run('cat /b; ls /')], { name, options: { timeoutMs: 300 } });
    const shown = await outputs(again.session.resume());
    expect(shown[0]).toContain('The command was stopped after 0.3 seconds');
    expect(shown[1]).toBe('before\nb\nbig\n');
  });

  test('has the effects of a command exactly once after a kill of both workers', async () => {
    const slow = 'echo line >> /log; N=$((N + 1)); sleep 0.5; echo $N >> /log';
    const killed = await agent([run('echo first > /log; N=1'), run(slow)]);
    await killDuring(killed, slow);

    const again = await agent([run('cat /log')], { name: killed.name });
    expect((await outputs(again.session.resume())).at(-1)).toBe('first\nline\n2\n');
  });

  test('a job runs in parallel with the agent; lost with the page, it runs again and counts once', async () => {
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
  ])('a pattern with catastrophic backtracking does not block the shell: %s', async (hostile) => {
    const { session } = await agent(
      [run('A=kept'), write('/evil', `${'a'.repeat(200)}!\n`), run(hostile), run('echo $A')],
      {
        options: { timeoutMs: 1500 },
      },
    );
    const shown = await outputs(session.send('go'));
    // It completes, or ends with the limit and the option to raise it; the shell works on either way.
    if (shown[2]?.includes('The command was stopped'))
      expect(shown[2]).toMatch(/after 1\.5 seconds .* terminal\(\{ timeoutMs \}\)/u);
    else expect(shown[2]).not.toMatch(/^yes|^x|aaa/u);
    expect(shown[3]).toBe('kept\n (pay attention to this.)');
  });

  test('has network access only where it is allowed', async () => {
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

describe('a worker whose script does not load', () => {
  async function agentThatFails(failures: number, works = 0, channel = 'unheard'): Promise<Session> {
    const worker = new Worker(new URL('./lost.worker.ts', import.meta.url), { type: 'module' });
    const config = { works, failures, channel };
    const session = await connect(worker, { session: crypto.randomUUID(), config });
    open.add(session);
    names.add(session.name);
    return session;
  }

  test('is started again until it loads', async () => {
    const session = await agentThatFails(4);
    const working = session.send('go');
    expect(await outputs(working)).toEqual(['hello\n (pay attention to this.)']);
    expect(await working.result()).toMatchObject({ status: 'done' });
  });

  test('was loaded ahead of the first command, which then needs no network', async () => {
    const channel = crypto.randomUUID();
    const attempted = new BroadcastChannel(channel);
    const first = new Promise((resolve) => attempted.addEventListener('message', resolve, { once: true }));
    const session = await agentThatFails(1_000, 1, channel);
    await first;
    const attempts: unknown[] = [];
    attempted.onmessage = ({ data }) => attempts.push(data);
    expect(await outputs(session.send('go'))).toEqual(['hello\n (pay attention to this.)']);
    expect(attempts).toEqual([]);
    attempted.close();
  });

  test('is reported to the model with a hint for the developer, and the run continues', async () => {
    const session = await agentThatFails(1_000);
    const working = session.send('go');
    const [output] = await outputs(working);
    expect(output).toMatch(
      /The terminal could not start \(6 attempts\): its script did not load\. Try the command again later, or continue without the terminal\. For the developer, if it happens each time: Import terminal from 'rolezero\/tools\/terminal\/inline'/u,
    );
    expect(await working.result()).toMatchObject({ status: 'done' });
  });
});
