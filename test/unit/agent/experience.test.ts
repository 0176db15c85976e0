import { describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import type { ExperienceSource } from '../../../src/core/experience.js';
import { StepExperience, type StepPool } from '../../../src/experience/step-experience.js';
import type { ChatMessage } from '../../../src/core/model.js';
import { ExperiencePool } from '../../../src/experience/pool.js';
import { KeywordExpRetriever } from '../../../src/metagpt/retrievers.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../src/agent/runtime/role-zero-options.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

const READ = commands(['Editor.read', { path: '/in.txt' }]);
const WRITE = commands(['Editor.write', { path: '/out.txt', content: 'made' }]);
const END = commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]);
const FILES = { '/in.txt': 'material' };

const openPool = () => new ExperiencePool({ enableRead: true, enableWrite: true, now: () => 0 });

/** A session with the pool and a model with these replies. */
async function session(
  pool: ExperienceSource | null,
  thoughts: readonly string[],
  options: { task?: string; files?: Record<string, string>; role?: RoleZeroOptions } = {},
) {
  const model = scriptedModel({ think: thoughts });
  const role = new RoleZero({
    callPlan: 'classic',
    model,
    tools: editor(),
    ...(pool === null ? {} : { experiencePool: pool }),
    ...options.role,
  });
  const result = await runRole(role, options.task ?? 'make out of in', { files: options.files ?? FILES });
  const thinks = result.requests.filter(({ purpose }) => purpose === 'think');
  return { ...result, thinks: thinks.length, prompts: thinks.map(last), unused: model.leftovers().length };
}

/** A pool with these properties. */
const sourceOf = (pool: StepPool): ExperienceSource => ({
  follow: (...args) => new StepExperience(pool, ...args),
});
const last = ({ messages }: { messages: readonly ChatMessage[] }) => messages.at(-1)?.content as string;
const scores = async (pool: ExperiencePool) =>
  (await pool.list()).map(({ metric }) => metric?.score?.val).sort();
/** Events without those that only a model call causes. */
const reported = (events: readonly AgentEvent[]) =>
  events
    .filter(
      ({ type }) =>
        !['call-start', 'usage', 'reply-delta', 'thought-delta', 'run-start', 'run-end'].includes(type), // Properties of a model call, and ids.
    )
    .map((event) => (event.type === 'step-end' ? { ...event, trace: { ...event.trace, calls: [] } } : event));
const withoutIds = (value: unknown) =>
  JSON.parse(JSON.stringify(value).replaceAll(/[0-9a-f]{32}/g, '#')) as unknown;

describe('a RoleZero with an experience pool', () => {
  it('thinks once: a new session repeats the same task without a model call, and everything else is the same', async () => {
    const pool = openPool();
    const first = await session(pool, [READ, WRITE, END]);
    const second = await session(pool, []);
    expect([first.thinks, second.thinks]).toEqual([3, 0]);
    expect(second.files).toEqual({ '/in.txt': 'material', '/out.txt': 'made' });
    expect(second.outcome).toEqual(first.outcome);
    expect(withoutIds(second.memory)).toEqual(withoutIds(first.memory));
    expect(withoutIds(reported(second.events))).toEqual(withoutIds(reported(first.events)));
    const thoughts = second.events.filter(
      (event) => event.type === 'reply-delta' && event.purpose === 'think',
    );
    expect(thoughts.map((event) => 'text' in event && event.text)).toEqual([READ, WRITE, END]);
    // The conversation continues with the stored replies, as if the model had given them.
    const [ours, theirs] = [first, second].map(({ requests }) => requests.at(-1)?.messages);
    expect(ours).toEqual(theirs);
  });

  it('a repeated reply costs nothing and is not counted', async () => {
    const pool = openPool();
    await session(pool, [READ, WRITE, END]);
    const { events, requests } = await session(pool, []);
    const usage = events.filter((event) => event.type === 'usage');
    expect(usage.map(({ purpose }) => purpose)).toEqual(['classify', 'language', 'summary']);
    expect(usage.at(-1)?.total.calls).toBe(requests.length);
  });

  it('stores each step under a request that describes it', async () => {
    const pool = openPool();
    await session(pool, [READ, WRITE, END]);
    const list = await pool.list();
    const read = list.find(({ resp }) => resp === WRITE);
    const [observation, state] = JSON.parse(read?.req ?? '') as [
      ChatMessage,
      { content: Record<string, string> },
    ];
    expect(list.map(({ tag }) => tag)).toEqual(Array(3).fill('RoleZero.think'));
    expect(observation.content).toMatch(/^Command Editor.read executed: file_path: \/in.txt/);
    expect(state.content).toMatchObject({ goal: 'make out of in', current_task: '' });
    expect(state.content['plan_status']).toContain('[GOAL] make out of in');
    expect(state.content['last_observation']).toBe(observation.content);
  });

  it('does not match a different task, instruction, tool or language', async () => {
    const pool = openPool();
    await session(pool, [READ, END]);
    const others = [
      { task: 'make out of something' },
      { role: { instruction: 'Be quick.' } },
      { role: { tools: [] } },
      { role: { language: 'German' } },
    ];
    for (const other of others) expect((await session(pool, [END], other)).thinks).toBe(1);
    expect((await session(pool, [])).thinks).toBe(0);
  });

  it('calls the model from the step where a file turns out to be different', async () => {
    const pool = openPool();
    await session(pool, [READ, WRITE, END]);
    const other = commands(['Editor.write', { path: '/out.txt', content: 'other' }]);
    const second = await session(pool, [other, END], { files: { '/in.txt': 'other material' } });
    expect([second.thinks, second.unused, second.files['/out.txt']]).toEqual([2, 0, 'other']);
  });

  it('does not reuse a reply after a different history, even with the same task and observation', async () => {
    const pool = openPool();
    const list = commands(['Editor.create_file', { path: '/log.txt' }]);
    await session(pool, [READ, list, WRITE, END]);
    const other = commands(['Editor.write', { path: '/out.txt', content: 'other' }]);
    const second = await session(pool, [list, other, END], { files: { '/in.txt': 'other material' } });
    expect([second.thinks, second.unused, second.files['/out.txt']]).toEqual([3, 0, 'other']);
  });

  it('does not reuse a reply after another conversation in the same session', async () => {
    const pool = openPool();
    const answers = async (name: string, thoughts: string[]) => {
      const model = scriptedModel({
        classify: ['Response Category: QUICK', 'Response Category: TASK'],
        quick: 'Hello.',
        think: thoughts,
      });
      const role = new RoleZero({ callPlan: 'classic', model, tools: editor(), experiencePool: pool });
      await runRole(role, `My name is ${name}.`);
      return runRole(role, 'Write my name into /out.txt.');
    };
    const name = (text: string) => commands(['Editor.write', { path: '/out.txt', content: text }]);
    await answers('Ann', [name('Ann'), END]);
    expect((await answers('Bob', [name('Bob'), END])).files).toEqual({ '/out.txt': 'Bob' });
    expect((await answers('Ann', [])).files).toEqual({ '/out.txt': 'Ann' });
  });

  it('stores repaired commands in their repaired form', async () => {
    const pool = openPool();
    const broken =
      "Writing.\n```json\n[{'command_name': 'Editor.write', 'args': {'path': '/out.txt', 'content': 'made',},}]\n```";
    await session(pool, [broken, END]);
    const second = await session(pool, []);
    expect([second.thinks, second.files['/out.txt']]).toEqual([0, 'made']);
  });
});

describe('an experience that failed', () => {
  const FAILING = commands(['Editor.read', { path: '/none.txt' }]);

  it('is not used again', async () => {
    const pool = openPool();
    await session(pool, [FAILING, WRITE, END]);
    expect(await scores(pool)).toEqual([1, 10, 10]);
    const second = await session(pool, [WRITE, END]);
    expect([second.thinks, second.unused]).toEqual([2, 0]);
    expect((await session(pool, [])).thinks).toBe(0);
  });

  it('quarantines a poisoned experience after its failure, and stores the new reply of the model', async () => {
    const pool = openPool();
    await session(pool, [WRITE, END]);
    const document = await pool.export();
    const poisoned = document.experiences.map((experience) =>
      experience.resp === WRITE ? { ...experience, resp: FAILING } : experience,
    );
    await pool.import({ ...document, experiences: poisoned });

    const second = await session(pool, [WRITE, END]); // The failure is observed, then the model is called.
    expect([second.thinks, second.unused, second.outcome.status]).toEqual([2, 0, 'done']);
    expect(second.memory.some(({ content }) => content.includes('/none.txt'))).toBe(true);

    const third = await session(pool, [WRITE]);
    expect([third.thinks, third.unused, third.files['/out.txt']]).toEqual([1, 0, 'made']);
    expect(third.memory.some(({ content }) => content.includes('/none.txt'))).toBe(false);
    expect((await session(pool, [])).thinks).toBe(0);
  });

  it.each([
    ['cannot be parsed', 'no commands at all'],
    ['contains no commands', '[]'],
  ])('quarantines a poisoned experience that %s, too', async (_what, resp) => {
    const pool = openPool();
    await session(pool, [END]);
    const document = await pool.export();
    await pool.import({ ...document, experiences: document.experiences.map((each) => ({ ...each, resp })) });
    const script = { think: [END], repair: 'still none' };
    await runRole(
      new RoleZero({
        callPlan: 'classic',
        model: scriptedModel(script),
        tools: editor(),
        experiencePool: pool,
      }),
      'make out of in',
    );
    expect((await session(pool, [END])).thinks).toBe(1);
  });

  it('steps of an incomplete run serve only as examples', async () => {
    const pool = openPool();
    const role = { maxSteps: 2 };
    const first = await session(pool, [READ, WRITE], { role });
    expect([first.outcome.status, await scores(pool)]).toEqual(['exhausted', [5, 5]]);
    const second = await session(pool, [WRITE, END], { role });
    expect([second.outcome.status, second.thinks]).toEqual(['done', 2]);
  });
});

describe('similar experiences', () => {
  const task = 'write the page about apples and pears into /out.txt';

  it('are in the newest message of the prompt and leave the system prompt unchanged', async () => {
    const pool = openPool();
    const alone = await session(null, [WRITE, END], { task: `${task} again` });
    await session(pool, [WRITE, END], { task });
    const { prompts, requests } = await session(pool, [WRITE, END], { task: `${task} again` });
    expect(prompts[0]).toContain('# Past Experience\n1. Given the request: ');
    expect(prompts[0]).toContain(`We can get the response: ${WRITE}, which scored: 10.`);
    const systems = new Set(requests.map(({ messages }) => messages[0]?.content));
    expect(systems).toEqual(new Set([alone.requests[0]?.messages[0]?.content]));
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1]?.messages ?? [];
      expect(request.messages.slice(0, before.length)).toEqual(before);
    }
  });

  it('are sent once while they are unchanged', async () => {
    const always: StepPool = {
      enabled: true,
      digest: (text) => text,
      recall: async ({ tag }) => ({ uuid: 'u', tag, req: 'r', resp: null, advice: 'Mind the gap.' }),
      learn: async () => {},
      rate: async () => {},
      lower: async () => {},
    };
    const { prompts } = await session(sourceOf(always), [READ, WRITE, END]);
    expect(prompts.map((prompt) => prompt.includes('# Past Experience\nMind the gap.'))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('R-120 does not mention experience when there is none', async () => {
    for (const pool of [null, new ExperiencePool(), openPool()]) {
      const { prompts, requests } = await session(pool, [READ, END]);
      expect(prompts).toHaveLength(2);
      expect(JSON.stringify(requests)).not.toMatch(/<experience>|Past Experience/);
    }
  });

  it('a retriever puts its example into the prompt once', async () => {
    const role = { experienceRetriever: new KeywordExpRetriever() };
    const { prompts } = await session(null, [READ, END], { task: 'deploy it', role });
    expect(prompts.map((prompt) => /# Example\n(.*)/.exec(prompt)?.[1])).toEqual([
      'Example: a user asks to deploy the site in /site.',
      undefined,
    ]);
  });
});

describe('a failing pool', () => {
  it('does not delay the run for long when it never answers', async () => {
    vi.useFakeTimers();
    try {
      const never = () => new Promise<never>(() => {});
      const silent: StepPool = {
        enabled: true,
        digest: (text) => text,
        recall: never,
        learn: never,
        rate: never,
        lower: never,
      };
      const running = session(sourceOf(silent), [WRITE, END]);
      await vi.advanceTimersByTimeAsync(60_000);
      const { outcome, events } = await running;
      expect(outcome.status).toBe('done');
      const reasons = events.flatMap((event) => (event.type === 'warning' ? [event.detail['reason']] : []));
      expect(reasons).toEqual(Array(2).fill('It did not answer within 5000 ms.'));
    } finally {
      vi.useRealTimers();
    }
  });

  it('reports problems as warnings, and the run continues without it', async () => {
    const broken = () => Promise.reject(new Error('no disk'));
    const failing: StepPool = {
      enabled: true,
      digest: (text) => text,
      recall: broken,
      learn: broken,
      rate: broken,
      lower: broken,
    };
    const unable: StepPool = {
      ...failing,
      recall: async ({ tag }) => ({ uuid: 'u', tag, req: 'r', resp: null, advice: '' }),
    };
    for (const [pool, words] of [
      [failing, 'The experience could not be consulted; continuing without it.'],
      [unable, 'The experience could not be added to; continuing without it.'],
    ] as const) {
      const { outcome, events, files } = await session(sourceOf(pool), [WRITE, END]);
      expect([outcome.status, files['/out.txt']]).toEqual(['done', 'made']);
      const warnings = events.filter((event) => event.type === 'warning');
      expect(warnings).toEqual(
        Array(2).fill({
          type: 'warning',
          code: 'internal',
          message: words,
          detail: { role: 'Zero', reason: 'no disk' },
        }),
      );
    }
  });
});
