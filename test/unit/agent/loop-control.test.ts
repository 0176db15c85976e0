import { describe, expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { RoleZeroOptions, StepFacts } from '../../../src/agent/runtime/role-zero-options.js';
import type { AgentEvent } from '../../../src/core/events.js';
import type { RequestOptions } from '../../../src/core/output.js';
import * as s from '../../../src/core/schema.js';
import { builtInTool, type Tool } from '../../../src/core/tool.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

type ScriptedModel = ReturnType<typeof scriptedModel>;

const WRITE = commands(['Editor.write', { path: '/a', content: 'one' }]);
const END = commands(['end', {}]);

/** Runs a request in a session of its own. */
async function work(
  replies: readonly string[],
  options: RoleZeroOptions = {},
  request: RequestOptions = {},
  onEvent: (event: AgentEvent, session: Session) => void = () => {},
) {
  const model = scriptedModel({ think: replies }, { id: 'first' });
  const events: AgentEvent[] = [];
  const session: Session = await Session.open({
    storage: memoryStorage(),
    name: 's',
    roles: [new RoleZero({ model, preset: 'full', tools: editor(), ...options })],
    askUser: null,
    emit: (event) => {
      events.push(event);
      onEvent(event, session);
    },
  });
  const result = await (await session.send('go', request)).result;
  return { result, session, model, events };
}

const systemOf = ({ requests }: ScriptedModel, at = 0): string => String(requests[at]?.messages[0]?.content);
const lastOf = ({ requests }: ScriptedModel, at: number): string =>
  String(requests[at]?.messages.at(-1)?.content);

describe('system', () => {
  it('is at the beginning of the system prompt', async () => {
    const { model } = await work([END], { system: 'You are Ada, and never speak of cats.' });
    expect(systemOf(model)).toMatch(/^You are Ada, and never speak of cats\.\n\n# Basic Info/);
  });

  it('may be a function that changes the whole system prompt', async () => {
    const { model } = await work([END], { system: (standard) => `${standard}\n\nBe brief.` });
    expect(systemOf(model)).toMatch(/^# Basic Info[^]*\n\nBe brief\.$/);
  });

  it.each([{ system: 5 }, { stopWhen: 'always' }, { prepareStep: {} }])('rejects %j', (wrong) => {
    expect(() => new RoleZero(wrong as unknown as RoleZeroOptions)).toThrow(Object.keys(wrong)[0]);
  });
});

describe('prepareStep', () => {
  it('knows the request, the messages, and the results of the step before', async () => {
    const seen: StepFacts[] = [];
    await work([WRITE, END], { prepareStep: (facts) => void seen.push(facts) });
    expect(seen.map(({ step, request }) => [step, request])).toEqual([
      [0, 'go'],
      [1, 'go'],
    ]);
    expect(seen[0]?.commands).toEqual([]);
    expect(seen[1]?.commands).toMatchObject([{ name: 'Editor.write', ok: true }]);
    expect(seen[1]?.messages.length).toBeGreaterThan(seen[0]?.messages.length ?? 0);
  });

  it('chooses model, temperature, reasoning and an instruction for one step', async () => {
    const other = scriptedModel({ think: [END] }, { id: 'second' });
    const { model, result } = await work([WRITE], {
      prepareStep: async ({ step }) =>
        step === 0
          ? { reasoning: 'low' }
          : { model: other, temperature: 0.5, instruction: 'Check your work now.' },
    });
    expect(result.status).toBe('done');
    expect(model.requests.map(({ reasoning, temperature }) => [reasoning, temperature])).toEqual([
      ['low', undefined],
    ]);
    const [asked] = other.requests.filter(({ purpose }) => purpose === 'think');
    expect([asked?.temperature, asked?.reasoning]).toEqual([0.5, undefined]);
    expect(lastOf(other, 0)).toContain('Check your work now.');
  });

  it('chooses the tools that the model is shown', async () => {
    const { model } = await work([WRITE, END], {
      prepareStep: ({ step }) => (step === 0 ? { tools: ['Editor.write'] } : {}),
    });
    const shown = (at: number): boolean[] =>
      ['Editor.write', 'Editor.read', 'RoleZero.reply_to_human'].map((name) =>
        systemOf(model, at).includes(name),
      );
    expect([shown(0), shown(1)]).toEqual([
      [true, false, true],
      [true, true, true],
    ]);
  });

  it.each<[string, RoleZeroOptions['prepareStep']]>([
    ['a tool that does not exist', () => ({ tools: ['Nothing'] })],
    ['a setting that does not exist', () => ({ tempo: 1 }) as object],
    ['no model', () => ({ model: {} as ScriptedModel })],
    ['an error', () => Promise.reject(new Error('no idea'))],
  ])('ends the run with advice for %s', async (_, prepareStep) => {
    const { result } = await work([END], prepareStep === undefined ? {} : { prepareStep });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'invalid' } });
  });
});

describe('stopWhen', () => {
  it('ends the work after a step, without another call of the model', async () => {
    const { result, model } = await work([WRITE], {
      stopWhen: [() => false, ({ commands: ran }) => ran.some(({ name }) => name === 'Editor.write')],
    });
    expect(result).toMatchObject({ status: 'done', error: null });
    expect(model.requests).toHaveLength(1);
  });
});

describe('settings of a request', () => {
  it('apply to this request alone', async () => {
    const { session, model } = await work(
      [END, END],
      {},
      {
        instruction: 'Answer in one word.',
        tools: ['Editor.write'],
        reasoning: 'high',
        temperature: 0.1,
      },
    );
    await (
      await session.send('again')
    ).result;
    const asked = model.requests.filter(({ purpose }) => purpose === 'think');
    expect(asked.map(({ reasoning, temperature }) => [reasoning, temperature])).toEqual([
      ['high', 0.1],
      [undefined, undefined],
    ]);
    expect(lastOf(model, 0)).toContain('Answer in one word.');
    expect(String(asked[0]?.messages[0]?.content)).not.toContain('Editor.read');
    expect(String(asked[1]?.messages[0]?.content)).toContain('Editor.read');
  });

  it('limit its steps', async () => {
    const { result, model } = await work(
      [WRITE, commands(['Editor.write', { path: '/b', content: 'two' }]), END],
      {},
      { maxSteps: 2 },
    );
    expect(result.status).toBe('exhausted');
    expect(model.requests.filter(({ purpose }) => purpose === 'think')).toHaveLength(2);
  });

  it.each([{ maxSteps: 0 }, { reasoning: 'much' }, { tools: 'Editor' }, { instruction: 1 }])(
    'rejects %j',
    async (wrong) => {
      await expect(work([END], {}, wrong as unknown as RequestOptions)).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(Object.keys(wrong)[0] ?? '') as string,
      });
    },
  );
});

describe('cancel', () => {
  const slow = (signals: AbortSignal[]): Tool =>
    builtInTool({
      name: 'Slow.wait',
      description: 'Wait.',
      input: s.args({}),
      effect: 'pure',
      run: (_, { signal, files }) => {
        signals.push(signal);
        return files.write('/left', 'x').then(() => new Promise<string>(() => {}));
      },
    });

  it('ends one command, and the run continues with what the model learns of it', async () => {
    const signals: AbortSignal[] = [];
    const { result, session, model, events } = await work(
      [commands(['Slow.wait', {}]), END],
      { tools: [...editor(), slow(signals)] },
      {},
      (event, open) => {
        if (event.type === 'command-start' && event.name === 'Slow.wait')
          setTimeout(() => open.cancel(event.callId));
      },
    );
    expect(result.status).toBe('done');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(lastOf(model, 1)).toContain('The user canceled Slow.wait.');
    expect(await session.files.list()).toEqual([]);
    expect(events.find(({ type }) => type === 'command-end')).toMatchObject({ name: 'Slow.wait', ok: false });
    const callId = events.find((event) => event.type === 'command-start')?.callId ?? '';
    expect(() => session.cancel(callId)).toThrow(expect.objectContaining({ code: 'not-found' }));
  });
});
