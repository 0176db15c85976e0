import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { SourcedTools, ToolSource } from '../../../src/core/tool-source.js';
import { defineTool } from '../../../src/core/define-tool.js';
import type { Tool } from '../../../src/core/tool.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { ToolRecommender } from '../../../src/tools/recommend.js';

const NONE: SourcedTools = { tools: [], untrusted: null, notice: null };

function tool(name: string, run: () => unknown = () => `${name} done`): Tool {
  return defineTool({ name, description: `Does ${name}.`, input: z.object({}), run });
}

/** A source whose tools are those of `now`. */
function source(group: string, now: { current: SourcedTools }): ToolSource {
  return { group, current: async () => now.current };
}

const END = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);
const common = { language: 'English', summarize: false } as const;
const systemPrompts = (requests: readonly { messages: readonly { content: unknown }[] }[]) =>
  requests.map(({ messages }) => String(messages[0]?.content));

describe('a source of tools', () => {
  it('is read before each step, and its tools replace the earlier ones', async () => {
    const now = { current: { ...NONE, tools: [tool('Live.first', () => change())] } };
    const change = (): string => {
      now.current = { ...NONE, tools: [tool('Live.second'), tool('Other.third')] };
      return 'changed';
    };
    const think = [
      commands(['Live.first', {}]),
      commands(['Live.second', {}]),
      commands(['Live.first', {}], ['end', {}]),
      END,
    ];
    const role = new RoleZero({ model: scriptedModel({ think }), tools: [source('Live', now)], ...common });
    const { memory, requests } = await runRole(role, 'Build a page.');
    expect(memory.map(({ content }) => content)).toEqual(
      expect.arrayContaining([
        'Command Live.first executed: changed',
        'Command Live.second executed: Live.second done',
        expect.stringMatching(/^Command Live\.first not found\.\n\nNot run: end, because/),
      ]),
    );
    const prompts = systemPrompts(requests).filter((prompt) => prompt.includes('Does Live.'));
    const [first, second] = [prompts[0], prompts.at(-1)];
    expect(first).toContain('Does Live.first.');
    expect(second).not.toContain('Does Live.first.');
    expect(second).toContain('Does Live.second.');
    expect(role.registry.has('Other.third')).toBe(false);
  });

  it('adds who wrote the descriptions to what the role has read, and reports a notice once', async () => {
    const notice = 'Three tools are missing.';
    const now = { current: { tools: [tool('Live.a')], untrusted: 'a server', notice } };
    const think = [commands(['Live.a', {}]), END];
    const role = new RoleZero({ model: scriptedModel({ think }), tools: [source('Live', now)], ...common });
    const { events, requests } = await runRole(role, 'Build a page.');
    expect(role.agent.state.untrusted).toEqual(['a server']);
    expect(events.filter(({ type }) => type === 'warning')).toEqual([
      { type: 'warning', code: 'tool-failed', message: notice, detail: { role: 'Zero', reason: notice } },
    ]);
    expect(JSON.stringify(requests.at(-1)).split(notice)).toHaveLength(2);
  });

  it('is offered by a recommender as soon as its tools are known', async () => {
    const now = { current: NONE };
    const arrive = tool('Own.arrive', () => {
      now.current = { ...NONE, tools: [tool('Live.weather')] };
    });
    const think = [commands(['Own.arrive', {}]), END];
    const role = new RoleZero({
      model: scriptedModel({ think }),
      tools: [arrive, source('Live', now)],
      toolRecommender: (registry) => new ToolRecommender(registry, { core: ['RoleZero', 'end'] }),
      ...common,
    });
    const { requests } = await runRole(role, 'Build a page about the weather: Live.weather');
    expect(systemPrompts(requests).at(-1)).toContain('Does Live.weather.');
  });

  it('makes a rule about its group a rule that can match', async () => {
    const role = new RoleZero({
      model: scriptedModel({ think: [END] }),
      tools: [source('Live', { current: NONE })],
      policy: [
        { tool: 'Live.a', do: 'deny' },
        { tool: 'Lives.a', do: 'deny' },
      ],
      ...common,
    });
    expect(role.agent.givenRules().map(({ matches }) => matches)).toEqual([true, false]);
  });

  it('is rejected when its group is taken', () => {
    const twice = () =>
      new RoleZero({ tools: [source('Live', { current: NONE }), source('Live', { current: NONE })] });
    expect(twice).toThrow('`tools` has a source of tools named Live');
    expect(() => new RoleZero({ tools: [source('Plan', { current: NONE })] })).toThrow('named Plan');
    expect(() => new RoleZero({ tools: [tool('Live.a'), source('Live', { current: NONE })] })).toThrow(
      'Live',
    );
  });

  it('that is gone when an interrupted command resumes leaves its outcome unknown', async () => {
    const storage = memoryStorage();
    const stop = new AbortController();
    const act: Tool = {
      ...tool('Live.act', () => {
        stop.abort();
        return new Promise(() => {});
      }),
      effect: 'egress-write',
      replay: 'unsafe',
      onAmbiguous: 'ask',
    };
    const now: { current: SourcedTools } = { current: { ...NONE, tools: [act] } };
    const open = (think: string[]) =>
      Session.open({
        storage,
        name: 'one',
        takeOver: true,
        roles: [new RoleZero({ model: scriptedModel({ think }), tools: [source('Live', now)], ...common })],
        emit: () => {},
        askUser: null,
      });
    const first = await open([commands(['Live.act', {}])]);
    const run = await first.send('Act.');
    stop.signal.addEventListener('abort', () => void first.close());
    await run.result.catch(() => null);
    now.current = NONE;
    const second = await open([END]);
    await (
      await second.resume()
    ).result;
    const memory = (await second.export()).records.filter(({ table }) => table === 'messages');
    expect(JSON.stringify(memory)).toContain(
      'Command Live.act executed: It was interrupted before, and it is not known whether it took effect.',
    );
  });
});
