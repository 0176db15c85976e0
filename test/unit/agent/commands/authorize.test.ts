import { createHash } from 'node:crypto';
import * as z from 'zod';
import { describe, expect, it, vi } from 'vitest';
import { auditOf } from '../../../../src/client/session.js';
import type { JsonValue } from '../../../../src/core/json.js';
import type { Question } from '../../../../src/core/human.js';
import { defineTool } from '../../../../src/core/define-tool.js';
import type { Tool } from '../../../../src/core/tool.js';
import type { PolicyRule, Capabilities } from '../../../../src/agent/policy/policy.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { Session } from '../../../../src/session/session.js';
import { memoryStorage } from '../../../../src/storage/memory-storage.js';
import { commands, runRole, scriptedModel } from '../../../../src/testing/index.js';
import { editor } from '../../../../src/tools/index.js';
import { webRead } from '../web-read.js';

const end = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);
const BYTES = new Uint8Array([0, 1, 2]);
type Command = readonly [name: string, args: Record<string, JsonValue>];

/** Tools with external effects, and the effects they had. */
function world() {
  const done: string[] = [];
  const tools: Tool[] = [
    ...editor(),
    webRead((url) => {
      done.push(`read ${url}`);
      return `A page with a link to ${url}next`;
    }),
    defineTool({
      name: 'Web.post',
      description: 'Posts to a page.',
      input: z.object({ url: z.string(), text: z.string() }),
      effect: 'egress-write',
      replay: 'idempotent',
      address: 'url',
      trusted: true,
      run: ({ url, text }) => void done.push(`post ${url} ${text}`),
    }),
    defineTool({
      name: 'Web.list',
      description: 'Reads pages.',
      input: z.object({ urls: z.array(z.string()).optional() }),
      effect: 'egress-read',
      address: 'urls',
      trusted: true,
      run: ({ urls = [] }) => void done.push(`read ${urls.join(' ')}`),
    }),
    defineTool({
      name: 'Web.object',
      description: 'Reads what stands at a place.',
      input: z.object({
        at: z.union([z.object({ host: z.string() }), z.url().transform((url) => new URL(url))]),
      }),
      effect: 'egress-read',
      address: 'at',
      trusted: true,
      run: ({ at }) => void done.push(`read ${at.host}`),
    }),
    defineTool({
      name: 'Mail.send',
      description: 'Sends a mail.',
      input: z.object({ to: z.string() }),
      effect: 'egress-write',
      replay: 'idempotent',
      run: ({ to }) => void done.push(`mail ${to}`),
    }),
    defineTool({
      name: 'Shell.run',
      description: 'Copies or removes files without naming them as a path.',
      input: z.object({
        copy: z.string().optional(),
        to: z.string().optional(),
        remove: z.string().optional(),
      }),
      async run({ copy, to = '/copy', remove }, { files }) {
        if (copy !== undefined) await files.copy(copy, to);
        if (remove !== undefined) await files.remove(remove);
        return copy === undefined ? 'removed' : await files.read(to);
      },
    }),
    defineTool({
      name: 'Shell.bytes',
      description: 'Writes what is no text.',
      input: z.object({ path: z.string() }),
      staged: true,
      run: ({ path }, { files }) => files.write(path, BYTES),
    }),
  ];
  return { done, tools };
}

function isOne(step: Command | readonly Command[]): step is Command {
  return typeof step[0] === 'string';
}

interface Setting {
  policy?: PolicyRule[];
  capabilities?: Capabilities;
  /** Null: no user is connected. */
  answer?: ((question: Question) => string) | null;
  files?: Record<string, string>;
  request?: string;
}

/** Runs commands, one or several per step. */
async function work(
  steps: readonly (Command | readonly Command[])[],
  { answer = () => 'yes', files = {}, request = 'go', ...options }: Setting = {},
) {
  const { done, tools } = world();
  const questions: Question[] = [];
  const think = [...steps.map((step) => commands(...(isOne(step) ? [step] : step))), end];
  const session = await Session.open({
    storage: memoryStorage(),
    name: 'gate',
    roles: [new RoleZero({ model: scriptedModel({ think }), tools, ...options })],
    askUser:
      answer === null
        ? null
        : async (question) => {
            questions.push(question);
            return answer(question);
          },
    emit: () => {},
    now: () => 0,
  });
  for (const [path, content] of Object.entries(files)) await session.files.write(path, content);
  const result = await (await session.send(request)).result;
  const outputs = auditOf(await session.steps()).map(({ name, ok }) => `${name} ${ok ? 'ran' : 'did not'}`);
  return { done, questions, session, result, outputs };
}

const wide: Capabilities = { outside: ['*'], origins: ['https://*.example'] };
const read = (url: string) => ['Web.read', { url }] as const;
const post = (text: string, url = 'https://a.example/') => ['Web.post', { url, text }] as const;
const mail = (to: string) => ['Mail.send', { to }] as const;

describe('capabilities: everything that is not listed is rejected', () => {
  it('commands, origins and private hosts', async () => {
    const { done, questions } = await work(
      [mail('a'), read('https://b.test/'), read('http://127.0.0.1/'), read('https://c.example/')],
      { capabilities: { outside: ['Web.*'], origins: ['https://*.example', '*'] } },
    );
    expect(done).toEqual(['read https://b.test/', 'read https://c.example/']);
    expect(questions).toHaveLength(1); // c, composed by the model after b was read
  });

  it('rejects external effects when nothing is listed, and allows everything inside the session', async () => {
    const { done, session } = await work(
      [mail('a'), post('x'), ['Editor.write', { path: '/a', content: 'x' }]],
      {
        capabilities: {},
      },
    );
    expect(done).toEqual([]);
    expect(await session.files.read('/a')).toBe('x');
  });

  it('allows a private host only by its full name', async () => {
    const { done } = await work([read('http://127.0.0.1:1/')], {
      capabilities: { outside: ['*'], origins: ['http://127.0.0.1:1'] },
    });
    expect(done).toEqual(['read http://127.0.0.1:1/']);
  });

  it('applies the rules of a host to its full name with a trailing dot', async () => {
    const { done } = await work([read('https://a.example./x'), read('https://a.example.:8443/')], {
      policy: [
        { tool: 'Web.*', origin: 'https://a.example', do: 'deny' },
        { tool: 'Web.*', origin: 'https://a.example:8443', do: 'deny' },
        { tool: '*', do: 'allow' },
      ],
    });
    expect(done).toEqual([]);
  });

  it('applies the rules about the application to an address without a host', async () => {
    vi.stubGlobal('location', { origin: 'https://app.example' });
    try {
      const { done } = await work([read('/api'), read('https://b.example/api')], {
        policy: [
          { tool: 'Web.*', origin: 'https://app.example', do: 'deny' },
          { tool: '*', do: 'allow' },
        ],
      });
      expect(done).toEqual(['read https://b.example/api']);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('allows writes only to listed paths', async () => {
    const { session, outputs } = await work(
      [
        ['Editor.write', { path: '/in/a', content: 'x' }],
        ['Editor.write', { path: '/b', content: 'x' }],
        ['Shell.run', { copy: '/in/a', to: '/c' }],
      ],
      { capabilities: { write: ['/in/**'] } },
    );
    expect((await session.files.list('/')).map(({ path }) => path)).toEqual(['/in', '/in/a']);
    expect(outputs.slice(0, 3)).toEqual(['Editor.write ran', 'Editor.write did not', 'Shell.run did not']);
  });

  it('does not let rules or capabilities change after the role is created', async () => {
    const policy: PolicyRule[] = [{ tool: 'Mail.*', do: 'deny' }];
    const { tools, done } = world();
    const role = new RoleZero({ model: scriptedModel({ think: [commands(mail('a')), end] }), tools, policy });
    policy[0] = { tool: '*', do: 'allow' };
    const session = await Session.open({
      storage: memoryStorage(),
      name: 'frozen',
      roles: [role],
      askUser: null,
      emit: () => {},
    });
    await (
      await session.send('go')
    ).result;
    expect(done).toEqual([]);
  });
});

describe('the source of an address', () => {
  it('reading what the user or a page named needs no approval; what the model composed does', async () => {
    const { questions } = await work(
      [
        read('https://a.example/'),
        read('https://a.example/next'),
        read('https://a.example/?stolen'),
        read('https://a.example/?more'),
      ],
      { capabilities: wide, request: 'look at https://a.example/' },
    );
    expect(questions.map(({ command }) => command?.args['url'])).toEqual(['https://a.example/?stolen']);
    expect(questions[0]?.details).toContain('It reaches https://a.example.');
  });

  it('asks about every such address each time after reading private data', async () => {
    const { questions } = await work(
      [
        ['Editor.read', { path: '/diary' }],
        read('https://a.example/'),
        read('https://a.example/?stolen'),
        read('https://a.example/?more'),
      ],
      { capabilities: wide, request: 'look at https://a.example/', files: { '/diary': 'dear diary' } },
    );
    expect(questions).toHaveLength(2);
  });

  it('does not treat text that the role wrote as secret', async () => {
    const { questions } = await work(
      [
        ['Editor.write', { path: '/game.js', content: 'play()' }],
        ['Editor.read', { path: '/game.js' }],
        post('a'),
        post('b'),
      ],
      { capabilities: wide },
    );
    expect(questions).toHaveLength(1); // The first time for the origin.
  });
});

describe('questions', () => {
  it('offers an approval for a scope where the rule does; does not repeat a denied question', async () => {
    const policy: PolicyRule[] = [
      { tool: 'Web.post', origin: 'https://a.example', do: 'ask', lifetime: 'run' },
      { tool: 'Mail.*', do: 'ask' },
    ];
    const { questions, done } = await work(
      [post('1'), post('2'), mail('a'), [mail('a'), mail('c')], mail('b')],
      {
        policy,
        answer: ({ command }) => (command?.args['to'] === 'a' ? 'no' : 'yes'),
      },
    );
    expect(questions.map(({ command }) => command?.args)).toEqual([post('1')[1], { to: 'a' }, { to: 'b' }]);
    expect(questions[0]?.details).toContain(
      'Unless you allow it only once, a yes lasts until your request is done.',
    );
    expect(done).toEqual(['post https://a.example/ 1', 'post https://a.example/ 2', 'mail b']);
  });

  it('uses a one-time approval once, for exactly this command', async () => {
    const { questions, done } = await work([[mail('a'), mail('a'), mail('b')]], {
      policy: [{ tool: 'Mail.*', do: 'ask' }],
      answer: ({ command }) => (command?.args['to'] === 'a' ? 'yes' : 'no'),
    });
    expect(questions).toHaveLength(3);
    expect(done).toEqual(['mail a', 'mail a']);
  });

  it('asks again when an approval is unused for 15 minutes, and consumes a used one', async () => {
    const storage = memoryStorage();
    let now = 0;
    const questions: Question[] = [];
    /** Opens a session and runs the model's thoughts; no user is connected when a question is asked. */
    const visit = (...think: string[]) => {
      const { done, tools } = world();
      return {
        done,
        session: Session.open({
          storage,
          name: 'gate',
          takeOver: true,
          roles: [
            new RoleZero({
              model: scriptedModel({ think }),
              tools,
              policy: [{ tool: 'Mail.*', do: 'ask' }],
            }),
          ],
          askUser: async (question) => {
            questions.push(question);
            return null;
          },
          emit: () => {},
          now: () => now,
        }),
      };
    };
    const first = await visit(commands(mail('a'))).session;
    await (
      await first.send('go')
    ).result;
    await first.answer(first.waiting?.id ?? '', 'yes');
    now += 16 * 60_000;
    const second = visit();
    const later = await second.session;
    expect((await (await later.resume()).result).status).toBe('waiting'); // The old approval has expired.
    expect([questions.length, second.done]).toEqual([2, []]);
    await later.answer(later.waiting?.id ?? '', 'yes');
    now += 14 * 60_000;
    const third = visit(end);
    expect((await (await (await third.session).resume()).result).status).toBe('done');
    expect([questions.length, third.done]).toEqual([2, ['mail a']]); // This one is still valid.
  });

  it('applies a session approval to the next request, and a run approval only to this one', async () => {
    for (const [lifetime, expected] of [
      ['session', 1],
      ['run', 2],
    ] as const) {
      const { tools } = world();
      const asked: string[] = [];
      const think = [commands(post('1')), end, commands(post('2')), end];
      const session = await Session.open({
        storage: memoryStorage(),
        name: 'twice',
        roles: [
          new RoleZero({
            model: scriptedModel({ think }),
            tools,
            policy: [{ tool: 'Web.*', do: 'ask', lifetime }],
          }),
        ],
        askUser: async ({ text }) => {
          asked.push(text);
          return 'yes';
        },
        emit: () => {},
      });
      for (const request of ['one', 'two']) await (await session.send(request)).result;
      expect(asked).toHaveLength(expected);
    }
  });

  it('shows all changes of a file, with everything in them visible', async () => {
    const { questions } = await work(
      [
        ['Editor.read', { path: '/a.txt' }],
        ['Editor.write', { path: '/a.txt', content: 'one\n2\u202e' }],
      ],
      {
        policy: [{ tool: 'Editor.write', do: 'ask' }],
        files: { '/a.txt': 'one\ntwo' },
      },
    );
    expect(questions[0]?.details).toContain('@@ line 2 @@\n- two\n+ 2\\u{202e}');
  });

  it('shows what an edit would change, not only its arguments; stores nothing of it after a denial', async () => {
    const edit: Command = ['Editor.append_file', { path: '/a.txt', content: 'three' }];
    const replace: Command = ['Editor.replace_text', { path: '/a.txt', old: 'one', new: '1' }];
    const { questions, session, outputs } = await work([edit, replace, ['Editor.undo_edit', {}]], {
      policy: [{ tool: 'Editor.*', do: 'ask' }],
      files: { '/a.txt': 'one\ntwo' },
      answer: ({ command }) => (command?.name === 'Editor.replace_text' ? 'no' : 'yes'),
    });
    expect(questions.map(({ details }) => details?.slice(details.indexOf('@@')))).toEqual([
      '@@ line 3 @@\n+ three\n+ ',
      '@@ line 1 @@\n- one\n+ 1',
      '@@ line 3 @@\n- three\n- ',
    ]);
    expect(outputs.slice(0, 3)).toEqual([
      'Editor.append_file ran',
      'Editor.replace_text did not',
      'Editor.undo_edit ran',
    ]);
    expect(await session.files.read('/a.txt')).toBe('one\ntwo');
  });

  it('asks about a failing edit too, because its message can contain file content', async () => {
    const { questions, session } = await work(
      [['Editor.replace_text', { path: '/a.txt', old: 'three', new: '3' }]],
      { policy: [{ tool: 'Editor.*', do: 'ask' }], files: { '/a.txt': 'sesame\ntwo' }, answer: () => 'no' },
    );
    expect(questions.map(({ details }) => details)).toEqual([
      'This application lets Zero do this only with your permission.\npath: /a.txt\nold: three\nnew: 3\n/a.txt is read.',
    ]);
    expect(JSON.stringify(session.messages())).not.toContain('sesame');
  });

  it('shows the arguments of an edit that touches no file', async () => {
    const { questions } = await work([['Editor.undo_edit', {}]], {
      policy: [{ tool: 'Editor.*', do: 'ask' }],
    });
    expect(questions.map(({ command, details }) => [command?.name, details])).toEqual([
      ['Editor.undo_edit', 'This application lets Zero do this only with your permission.'],
    ]);
  });

  it('limits an approval for several files to the shortest lifetime', async () => {
    const copy = (to: string): Command => ['Shell.run', { copy: '/a/x', to }];
    const { questions } = await work([copy('/b/x'), copy('/b/y')], {
      policy: [
        { tool: '*', path: '/a/**', do: 'ask', lifetime: 'session' },
        { tool: '*', path: '/b/**', do: 'ask' },
      ],
      files: { '/a/x': '1' },
    });
    expect(questions).toHaveLength(2);
    expect(questions[0]?.details).not.toContain('a yes lasts');
  });

  it('shows long arguments completely, and does not ask about arguments that cannot be shown', async () => {
    const hidden = `${'a'.repeat(100_000)} INSTEAD ${'b'.repeat(100_000)}`;
    const policy: PolicyRule[] = [{ tool: 'Editor.*', do: 'ask' }];
    const long = await work([['Editor.write', { path: '/a', content: hidden }]], { policy });
    expect(long.questions[0]?.details).toContain(`content: ${hidden}`);
    expect(long.questions[0]?.details).toContain(`+ ${hidden}`);
    const tooLong = await work([['Editor.write', { path: '/a', content: '\u{e0041}'.repeat(60_000) }]], {
      policy,
    });
    expect([tooLong.questions, tooLong.outputs[0]]).toEqual([[], 'Editor.write did not']);
    expect(await tooLong.session.files.stat('/a')).toBeNull();
    const [, observation = ''] =
      JSON.stringify(tooLong.session.messages()).match(/(Refused: [^"]* needs the user[^"]*)/) ?? [];
    expect(observation).toMatch(
      /has 1\d{6} characters, more than the 1000000 that can be shown\. Use smaller steps/,
    );
  });

  it('describes binary content by length and hash', async () => {
    const { questions } = await work([['Shell.bytes', { path: '/a' }]], {
      policy: [{ tool: 'Shell.*', do: 'ask' }],
    });
    const hash = createHash('sha256').update(BYTES).digest('hex');
    expect(questions[0]?.details).toContain(`+ (no text: 3 bytes, SHA-256 ${hash})`);
  });

  it('never runs a tool with external effects before the question, even if it is marked as staged', async () => {
    const sent: string[] = [];
    const tool = defineTool({
      name: 'Post.now',
      description: 'Posts.',
      input: z.object({}),
      effect: 'egress-write',
      replay: 'idempotent',
      staged: true,
      run: () => void sent.push('sent'),
    });
    await runRole(
      new RoleZero({
        model: scriptedModel({ think: [commands(['Post.now', {}]), end] }),
        tools: [tool],
        policy: [{ tool: 'Post.*', do: 'ask' }],
      }),
      'go',
      { answers: ['no'] },
    );
    expect(sent).toEqual([]);
  });

  it('asks whether to continue at all after too many questions', async () => {
    const steps = ['a', 'b', 'c', 'd', 'e', 'f'].map(mail);
    const setting = (go: string): Setting => ({
      policy: [{ tool: 'Mail.*', do: 'ask' }],
      answer: ({ kind }) => (kind === 'question' ? go : 'yes'),
    });
    const stopped = await work(steps, setting('no'));
    expect(stopped.result.status).toBe('stopped');
    expect(stopped.done).toHaveLength(5);
    const goesOn = await work(steps, setting('yes'));
    expect(goesOn.done).toHaveLength(6);
    expect(goesOn.questions.filter(({ kind }) => kind === 'question')).toHaveLength(1);
  });

  it('denies without a connected user, and continues', async () => {
    const { done, result, session } = await work([mail('a')], {
      policy: [{ tool: 'Mail.*', do: 'ask' }],
      answer: null,
    });
    expect([done, result.status]).toEqual([[], 'done']);
    expect(auditOf(await session.steps())[0]?.permission).toEqual({
      decision: 'ask',
      why: '',
      answer: 'no-user',
      lifetime: 'once',
    });
  });
});

describe('files that a command does not name', () => {
  const secrets: PolicyRule[] = [{ tool: '*', path: '/secrets/**', do: 'deny' }];

  it('enforces path rules in a shell, and does not reveal what it read', async () => {
    const { outputs, session } = await work(
      [
        ['Shell.run', { copy: '/secrets/key', to: '/free' }],
        ['Shell.run', { remove: '/secrets/key' }],
      ],
      { policy: secrets, files: { '/secrets/key': 'sesame' } },
    );
    expect(outputs.slice(0, 2)).toEqual(['Shell.run did not', 'Shell.run did not']);
    expect(await session.files.stat('/free')).toBeNull();
    expect(await session.files.read('/secrets/key')).toBe('sesame');
    expect(JSON.stringify(session.messages())).not.toContain('sesame');
  });

  it('an approval of a command covers its files, but not a rule about paths', async () => {
    const policy: PolicyRule[] = [
      { tool: 'Shell.run', do: 'ask' },
      { tool: 'Shell.run', path: '/private/**', do: 'ask' },
    ];
    const { questions, session } = await work(
      [
        ['Shell.run', { copy: '/a', to: '/b' }],
        ['Shell.run', { copy: '/private/a', to: '/c' }],
      ],
      { policy, files: { '/a': 'x', '/private/a': 'y' }, answer: () => 'yes' },
    );
    expect(questions).toHaveLength(1 + 2);
    expect(await session.files.read('/b')).toBe('x');
    expect(await session.files.read('/c')).toBe('y');
  });

  it("asks before files of the user are changed or removed, with a diff; not for the agent's own files", async () => {
    const { questions, session } = await work(
      [
        read('https://a.example/'),
        ['Editor.write', { path: '/own', content: 'a' }],
        ['Shell.run', { remove: '/own' }],
        ['Shell.run', { remove: '/brought' }],
      ],
      { files: { '/brought': 'dear' }, answer: () => 'no' },
    );
    expect(questions).toHaveLength(1);
    expect(questions[0]?.details).toContain('/brought\n@@ line 1 @@\n- dear');
    expect(await session.files.read('/brought')).toBe('dear');
  });
});

describe('the record (R-032)', () => {
  it('records who allowed or denied each command, and why', async () => {
    const { session } = await work([read('https://a.example/'), post('1'), mail('a')], {
      answer: ({ command }) => (command?.name === 'Mail.send' ? 'no' : 'yes'),
    });
    const record = auditOf(await session.steps());
    expect(
      record.map(({ name, ok, approvedBy, permission }) => [name, ok, approvedBy, permission?.answer]),
    ).toEqual([
      ['Web.read', true, 'policy', undefined],
      ['Web.post', true, 'user', 'yes'],
      ['Mail.send', false, 'user', 'no'],
      ['RoleZero.reply_to_human', true, 'policy', undefined],
      ['end', true, 'policy', undefined],
    ]);
    expect(record[1]?.permission?.why).toBe(
      'it changes something outside of the session; it has read https://a.example/',
    );
    const messages = new Map(session.messages().map(({ id, content }) => [id, content]));
    expect(messages.get(record[1]?.replyId ?? '')).toContain('Web.post');
  });
});

describe('a command that reaches several addresses', () => {
  const list = (...urls: string[]) => ['Web.list', { urls }] as const;

  it('runs only when every address is allowed', async () => {
    const { done } = await work(
      [
        list('https://a.example/', 'https://b.test/'),
        list('https://a.example/', 'https://b.example/'),
        list('https://a.example/', 'b.example'),
      ],
      { capabilities: wide },
    );
    expect(done).toEqual(['read https://a.example/ https://b.example/']);
  });

  it('applies a rule that matches one path, and an allow rule only when all match', async () => {
    const { done, questions } = await work(
      [
        list('https://a.example/', 'https://bad.example/'),
        list('https://a.example/', 'https://b.example/'),
        list('https://a.example/', 'https://c.test/'),
        list('https://c.test/', 'https://a.example/'),
      ],
      {
        capabilities: { outside: ['*'], origins: ['https://*'] },
        policy: [
          { tool: 'Web.list', origin: 'https://bad.example', do: 'deny' },
          { tool: 'Web.list', origin: 'https://*.example', do: 'allow' },
          { tool: 'Web.list', origin: 'https://c.test', do: 'ask' },
        ],
        answer: () => 'no',
      },
    );
    expect(done).toEqual(['read https://a.example/ https://b.example/']);
    expect(questions.map(({ content }) => content?.split('\n')[0])).toEqual([
      'It reaches https://a.example, https://c.test.',
      'It reaches https://c.test, https://a.example.',
    ]);
  });

  it('does not extend an approval of one to the others', async () => {
    const { questions } = await work(
      [
        list('https://a.example/', 'https://b.example/'),
        list('https://a.example/2', 'https://b.example/2'),
        list('https://a.example/', 'https://c.example/'),
      ],
      { policy: [{ tool: 'Web.list', origin: 'https://a.example', do: 'ask', lifetime: 'session' }] },
    );
    expect(questions).toHaveLength(2);
  });

  it('asks as often as the strictest of its questions requires', async () => {
    const { questions } = await work(
      [1, 2].map((page) => list(`https://a.example/${page}`, `https://b.example/${page}`)),
      {
        policy: [
          { tool: 'Web.list', origin: 'https://a.example', do: 'ask', lifetime: 'session' },
          { tool: 'Web.list', origin: 'https://b.example', do: 'ask' },
        ],
      },
    );
    expect(questions).toHaveLength(2);
  });

  it('counts as one without an address when it names none', async () => {
    const { done } = await work([list(), ['Web.list', {}]], { capabilities: { outside: ['*'] } });
    expect(done).toEqual(['read ', 'read ']);
  });
});

describe('an address in another form', () => {
  it('accepts a URL object as an address, or rejects it', async () => {
    const { done, session } = await work(
      [
        ['Web.object', { at: 'https://a.example/' }],
        ['Web.object', { at: 'https://b.test/' }],
        ['Web.object', { at: { host: 'a.example' } }],
      ],
      { capabilities: wide },
    );
    expect(done).toEqual(['read a.example']);
    expect(JSON.stringify(session.messages())).toContain('it is no whole address; write it with its scheme');
  });

  it('applies all rules that an incomplete address may match, and rejects it with capabilities', async () => {
    const forms = [
      'evil.test/x',
      '//evil.test/x',
      'https:evil.test',
      'HTTPS://Evil.Test:443/x',
      'https://me@evil.test',
      'evil.test:443',
    ];
    const policy: PolicyRule[] = [{ tool: 'Web.*', origin: 'https://evil.test', do: 'deny' }];
    expect((await work(forms.map(read), { policy })).done).toEqual([]);
    const { done, session } = await work([read('a.example/x'), read('https://a.example/x')], {
      capabilities: wide,
    });
    expect(done).toEqual(['read https://a.example/x']);
    expect(JSON.stringify(session.messages())).toContain(
      'a.example/x cannot be reached: it is no whole address; write it with its scheme and its host',
    );
  });

  it('allows an incomplete address only when everything it may match is allowed', async () => {
    const policy: PolicyRule[] = [
      { tool: 'Web.post', do: 'ask' },
      { tool: 'Web.post', origin: 'https://a.example', do: 'allow' },
    ];
    const { questions } = await work(
      [post('x', 'https://a.example/'), post('x', 'a.example'), post('y', 'b.example')],
      {
        policy,
      },
    );
    expect(questions.map(({ command }) => command?.args['url'])).toEqual(['a.example', 'b.example']);
  });

  it('does not extend an approval of it to anything else of its origin', async () => {
    const { questions } = await work(
      [post('x', 'a.example/1'), post('x', 'a.example/2'), post('y', 'a.example/2')],
      {
        policy: [{ tool: 'Web.post', do: 'ask', lifetime: 'session' }],
      },
    );
    expect(questions.map(({ command }) => command?.args['url'])).toEqual(['a.example/1', 'a.example/2']);
  });
});

describe('rules under another name', () => {
  async function aliased(options: Pick<Setting, 'policy' | 'capabilities'>) {
    const { done, tools } = world();
    const role = new RoleZero({
      model: scriptedModel({ think: [commands(['mail', { to: 'a' }]), commands(mail('b')), end] }),
      tools,
      ...options,
    });
    role.registry.alias('mail', 'Mail.send'); // an alias that is registered later
    const session = await Session.open({
      storage: memoryStorage(),
      name: 'names',
      roles: [role],
      askUser: async () => 'yes',
      emit: () => {},
    });
    const { error } = await (await session.send('go')).result;
    expect(error).toBeNull();
    return done;
  }

  it('treats an alias as the same command', async () => {
    expect(await aliased({ policy: [{ tool: 'mail', do: 'deny' }] })).toEqual([]);
    expect(await aliased({ policy: [{ tool: 'Mail.send', do: 'deny' }] })).toEqual([]);
    expect(await aliased({ capabilities: { outside: ['mail'] } })).toEqual(['mail a', 'mail b']);
    expect(await aliased({ capabilities: { outside: ['post'] } })).toEqual([]);
  });
});
