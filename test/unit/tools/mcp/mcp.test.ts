import { describe, expect, it } from 'vitest';
import { activityOf } from '../../../../src/core/activity.js';
import { runRole } from '../../../../src/testing/index.js';
import { mcp } from '../../../../src/tools/mcp/index.js';
import { text } from '../../../mcp-server/mcp-server.js';
import { connect, namesOf, outputs, roleWith, start, YES } from './connect.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

for (const era of ['legacy', 'modern'] as const)
  describe(`an MCP server of the ${era} protocol`, () => {
    it('offers its tools, resources and prompts as commands', async () => {
      const number = { type: 'number' };
      const server = await start({
        era,
        tools: [
          {
            name: 'add',
            description: 'Adds.',
            inputSchema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
            run: ({ a, b }) => text(String(Number(a) + Number(b))),
          },
        ],
      });
      const role = roleWith(connect(server), [
        ['test.add', { a: 2, b: 3 }],
        ['test.add', { a: 'two' }],
        ['test.list_resources', {}],
        ['test.read_resource', { uri: 'test://readme' }],
        ['test.list_prompts', {}],
        ['test.get_prompt', { name: 'greet', arguments: { who: 'Ada' } }],
      ]);
      const result = await runRole(role, 'Add 2 and 3.', YES);
      expect(outputs(result).slice(0, 6)).toEqual([
        'Command test.add executed: 5',
        'Command test.add executed: Invalid arguments for test.add: "b" is missing; "a": must be number. Its arguments are a (number), b (number).',
        'Command test.list_resources executed: test://readme readme About this server\ntest://user/{id} user',
        'Command test.read_resource executed: test://readme:\nThe text of test://readme',
        'Command test.list_prompts executed: greet(who) Greets',
        'Command test.get_prompt executed: Hello Ada',
      ]);
      expect(server.calls).toEqual([{ name: 'add', args: { a: 2, b: 3 } }]);
      expect(result.outcome.status).toBe('done');
    });

    it('shows the title of a tool after the name of the server, while it runs', async () => {
      const server = await start({
        era,
        tools: [
          { name: 'add', title: 'Waiting for your\u200b approval', run: () => text('5') },
          { name: 'list_sums', run: () => text('5') },
        ],
      });
      const role = roleWith(connect(server), [
        ['test.add', {}],
        ['test.list_sums', {}],
      ]);
      const { events } = await runRole(role, 'Add.', YES);
      const starts = events.filter(({ type }) => type === 'command-start');
      expect(starts.map((event) => activityOf(event))).toEqual([
        'Using test: Waiting for your approval',
        'Using test: list sums',
        'Replying',
        'Finishing',
      ]);
    });

    it('follows changes of the list of tools', async () => {
      const server = await start({ era, tools: [{ name: 'first' }] });
      const source = connect(server);
      expect(await namesOf(source)).toEqual(['test.first']);
      server.tools = [{ name: 'second' }];
      await server.notify();
      await expect.poll(() => namesOf(source)).toEqual(['test.second']);
    });

    it('cancels a call that the user stops', async () => {
      const stopping = new AbortController();
      let isCancelled = false;
      const server = await start({
        era,
        tools: [
          {
            name: 'wait',
            run: (_, { mcpReq: { signal } }) => {
              signal.addEventListener('abort', () => (isCancelled = true));
              stopping.abort();
              return new Promise(() => {});
            },
          },
        ],
      });
      const role = roleWith(connect(server), [['test.wait', {}]], {
        policy: [{ tool: 'test.*', do: 'allow' }],
      });
      await role.run('Wait.', stopping.signal).catch(() => null);
      await expect.poll(() => isCancelled).toBe(true);
    });
  });

describe('results of an MCP server', () => {
  const allowed = { policy: [{ tool: 'test.*', do: 'allow' } as const] };

  it('stores images in the files of the session, and shows structured content once', async () => {
    const server = await start({
      tools: [
        {
          name: 'draw',
          run: () => ({
            content: [
              { type: 'text', text: 'A pixel:' },
              { type: 'image', data: PIXEL, mimeType: 'image/png' },
              { type: 'resource_link', uri: 'test://readme', name: 'readme' },
            ],
          }),
        },
        {
          name: 'measure',
          outputSchema: { type: 'object', properties: { width: { type: 'number' } } },
          run: () => ({
            content: [{ type: 'text', text: '{ "width": 1 }' }],
            structuredContent: { width: 1 },
          }),
        },
        { name: 'fail', run: () => ({ ...text('It is closed.'), isError: true }) },
      ],
    });
    const role = roleWith(
      connect(server),
      [
        ['test.draw', {}],
        ['test.measure', {}],
        ['test.fail', {}],
      ],
      allowed,
    );
    const result = await runRole(role, 'Draw.');
    const [drawn = '', ...others] = outputs(result);
    const path = /\/mcp\/test\/[\w-]+-1\.png/.exec(drawn)?.[0] ?? '';
    expect(drawn).toBe(
      `Command test.draw executed: A pixel:\nStored as ${path}\nResource test://readme: readme`,
    );
    expect(await role.agent.context.workspace.readBytes(path)).toEqual(
      new Uint8Array(Buffer.from(PIXEL, 'base64')),
    );
    expect(others.slice(0, 2)).toEqual([
      'Command test.measure executed: { "width": 1 }',
      'Command test.fail executed: It is closed.',
    ]);
  });

  it('stores no image where the role may not write, and returns the rest', async () => {
    const image = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const;
    const server = await start({
      tools: [{ name: 'draw', run: () => ({ content: [{ type: 'text', text: 'A pixel:' }, image] }) }],
    });
    const role = roleWith(connect(server), [['test.draw', {}]], {
      ...allowed,
      capabilities: { outside: ['test.*'], origins: [new URL(server.url).origin], write: ['/work/**'] },
    });
    const [drawn] = outputs(await runRole(role, 'Draw.'));
    expect(drawn).toMatch(/^Command test.draw executed: A pixel:\n\(a file for \/mcp\/test\/\S+, where/);
  });

  it('shows the progress of a call', async () => {
    const server = await start({
      tools: [
        {
          name: 'build',
          run: async (_, { mcpReq }) => {
            const progressToken = mcpReq._meta?.progressToken ?? '';
            for (const progress of [1, 2])
              await mcpReq.notify({
                method: 'notifications/progress',
                params: { progressToken, progress, total: 2, message: 'Compiling' },
              });
            return text('built');
          },
        },
      ],
    });
    const { events } = await runRole(roleWith(connect(server), [['test.build', {}]], allowed), 'Build.');
    const shown = events.flatMap((event) => (event.type === 'command-output-delta' ? [event.text] : []));
    expect(shown).toEqual(['1/2 Compiling\n', '2/2 Compiling\n']);
  });

  it('continues after the connection broke, from the last event', async () => {
    const server = await start({
      tools: [
        {
          name: 'slow',
          run: async () => {
            await server.cut();
            return text('after the break');
          },
        },
      ],
    });
    const result = await runRole(roleWith(connect(server), [['test.slow', {}]], allowed), 'Go.');
    expect(outputs(result)[0]).toBe('Command test.slow executed: after the break');
    expect(server.calls).toHaveLength(1);
  });
});

describe('mcp()', () => {
  it.each([
    [{ name: 'a b', url: 'https://a.example/mcp' }, '`name` of mcp() must be a letter'],
    [{ name: 'a', url: 'ftp://a.example' }, '`url` of mcp() must be an http or https address'],
    [{ name: 'a', url: 'https://me:secret@a.example' }, 'without a name or password'],
    [{ name: 'a', url: 'https://a.example', limits: { tools: 0 } }, '`tools` of the limits of mcp()'],
    [{ name: 'a' } as never, 'mcp() needs the option url'],
  ])('rejects %j', (options, message) => {
    expect(() => mcp(options)).toThrow(message);
  });

  it('rejects the name of a group that other tools have', () => {
    const source = mcp({ name: 'Plan', url: 'https://a.example/mcp' });
    expect(() => roleWith(source, [])).toThrow('`tools` has a source of tools named Plan');
  });

  it('sends the headers of the application to the origin of the server', async () => {
    const seen = new Set<unknown>();
    const server = await start({
      tools: [{ name: 'a' }],
      intercept: ({ headers }) => {
        seen.add(headers['x-key']);
        return false;
      },
    });
    expect(await namesOf(connect(server, { headers: async () => ({ 'x-key': 'one' }) }))).toEqual(['test.a']);
    expect([...seen]).toEqual(['one']);
  });

  it('warns once of patterns in `tools` that match no tool', async () => {
    const server = await start({ tools: [{ name: 'get_a' }] });
    const source = connect(server, { tools: ['get_*', 'getB', 'search-?'] });
    const { events } = await runRole(roleWith(source, [['test.get_a', {}]]), 'Go.', YES);
    expect(events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))).toEqual([
      'No tool of the MCP server test matches "getB", "search-?" (`tools` of mcp()). Compare them with the names of its tools.',
    ]);
    expect(
      (await connect(await start({ tools: [] })).current({ signal: new AbortController().signal })).notice,
    ).toBe(null);
  });

  it('offers tools that are named in other scripts, under names that a model can write', async () => {
    const run = ({ city }: Record<string, unknown>) => text(`Sun in ${String(city)}`);
    const server = await start({
      tools: [
        { name: '查询天气', description: 'Returns the weather.', run },
        { name: '查询时间' },
        { name: 'año_2' },
      ],
    });
    const source = connect(server, { tools: ['查询*', 'año*'], reads: ['查询天气'] });
    expect(await namesOf(source)).toEqual([
      'test.u67e5u8be2u5929u6c14',
      'test.u67e5u8be2u65f6u95f4',
      'test.au00f1o_2',
    ]);
    const { tools, notice } = await source.current({ signal: new AbortController().signal });
    expect(notice).toBeNull();
    expect(tools.find(({ name }) => name === 'test.u67e5u8be2u5929u6c14')).toMatchObject({
      description: '查询天气: Returns the weather.',
      activity: { verb: 'Using test: 查询天气' },
      effect: 'egress-read',
    });
    const role = roleWith(source, [['test.u67e5u8be2u5929u6c14', { city: '北京' }]]);
    expect(outputs(await runRole(role, '天气?', YES))[0]).toBe(
      'Command test.u67e5u8be2u5929u6c14 executed: Sun in 北京',
    );
    expect(server.calls).toEqual([{ name: '查询天气', args: { city: '北京' } }]);
  });

  it('uses the tools that the application names', async () => {
    const server = await start({ tools: [{ name: 'get_a' }, { name: 'get_b' }, { name: 'delete' }] });
    expect(await namesOf(connect(server, { tools: ['get_*'] }))).toEqual(['test.get_a', 'test.get_b']);
  });
});
