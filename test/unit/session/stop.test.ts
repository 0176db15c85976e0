import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import type { ChatModel } from '../../../src/core/model.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import type { ScriptedModel } from '../../../src/testing/scripted-model.js';

const storage = memoryStorage();
const finish = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);

/** A call that never completes the first time. */
function hangingOnce(): { hang: () => Promise<void>; reached: Promise<void> } {
  let hung = false;
  let reach: () => void = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const hang = async (): Promise<void> => {
    if (hung) return;
    hung = true;
    reach();
    await new Promise(() => {});
  };
  return { hang, reached };
}

async function stopped(
  name: string,
  make: (hang: () => Promise<void>) => { role: RoleZero; ask?: () => Promise<string | null> },
): Promise<void> {
  const { hang, reached } = hangingOnce();
  const { role, ask } = make(hang);
  const session = await Session.open({
    storage,
    name,
    roles: [role],
    askUser: ask ?? (async () => null),
    emit: () => {},
  });
  const run = await session.send('go');
  await reached;
  session.stop();
  expect(await run.result).toEqual({ status: 'stopped', summary: '', error: null });
  expect(session.resumable).toBe(true);
  expect((await (await session.resume()).result).status).toBe('done');
  await session.close();
}

/** The scripted model with one call whose stream hangs before its first chunk. */
function hangingModel(script: ScriptedModel, purpose: string, hang: () => Promise<void>): ChatModel {
  return {
    ...script,
    async *chat(request) {
      if (request.purpose === purpose) await hang();
      yield* script.chat(request);
    },
  };
}

describe('A-277 stops promptly, and the run can continue', () => {
  it.each(['classify', 'language', 'think', 'summary'])('A-277 in the model call %s', async (purpose) => {
    await stopped(`model-${purpose}`, (hang) => ({
      role: new RoleZero({
        callPlan: 'classic',
        model: hangingModel(scriptedModel({ think: [finish] }), purpose, hang),
      }),
    }));
  });

  it('A-277 in a tool that ignores the signal', async () => {
    await stopped('tool', (hang) => ({
      role: new RoleZero({
        model: scriptedModel({ think: [commands(['Slow.go', {}]), finish] }),
        tools: [
          defineTool({ name: 'Slow.go', description: 'Slow.', input: z.object({}), run: () => hang() }),
        ],
      }),
    }));
  });

  it('A-277 in an unanswered question', async () => {
    await stopped('question', (hang) => ({
      role: new RoleZero({
        model: scriptedModel({ think: [commands(['RoleZero.ask_human', { question: 'Which?' }]), finish] }),
      }),
      ask: async () => {
        await hang();
        return 'this one';
      },
    }));
  });
});

/** Runs a role and collects its events. */
async function watched(name: string, role: RoleZero, emit: (event: AgentEvent) => void): Promise<void> {
  const session = await Session.open({ storage, name, roles: [role], askUser: async () => null, emit });
  await (
    await session.send('go')
  ).result;
}

describe('the events of a request, in order', () => {
  it('A-253 classification without tokens, then per step thought, tokens, end, commands; the final report last', async () => {
    const reported: string[] = [];
    const emit = (event: AgentEvent): void => {
      const shown = event.type === 'thought-delta' || event.type === 'thought-end';
      const entry = shown
        ? `${event.type} ${event.purpose}`
        : event.type === 'command-start' || event.type === 'command-end'
          ? `${event.type} ${event.name}`
          : null;
      if (entry !== null && reported.at(-1) !== entry) reported.push(entry); // Tokens as one event.
    };
    const note = defineTool({
      name: 'Note.add',
      description: 'Notes.',
      input: z.object({}),
      run: () => 'noted',
    });
    const role = new RoleZero({
      callPlan: 'classic',
      model: scriptedModel({ think: [commands(['Note.add', {}]), commands(['end', {}])] }),
      tools: [note],
    });
    await watched('order', role, emit);
    expect(reported).toEqual([
      'thought-end classify',
      'thought-delta think',
      'thought-end think',
      'command-start Note.add',
      'command-end Note.add',
      'thought-delta think',
      'thought-end think',
      'command-start end',
      'thought-delta report',
      'thought-end report',
      'command-end end',
    ]);
  });

  it('A-253 the joined tokens of a thought are the reply', async () => {
    const replies: Record<string, string> = {};
    const words: Record<string, string> = {};
    const ends: Record<string, string> = {};
    const emit = (event: AgentEvent): void => {
      if (event.type === 'reply-delta') replies[event.purpose] = (replies[event.purpose] ?? '') + event.text;
      if (event.type === 'thought-delta') words[event.purpose] = (words[event.purpose] ?? '') + event.text;
      if (event.type === 'thought-end') ends[event.purpose] = event.text;
    };
    const role = new RoleZero({
      model: scriptedModel({ think: [commands(['end', {}])], report: 'It is 完成 done.' }),
    });
    await watched('tokens', role, emit);
    expect(replies).toEqual({ think: commands(['end', {}]), report: 'It is 完成 done.' });
    expect(words).toEqual({ think: 'I will run end.', report: 'It is 完成 done.' });
    expect(ends).toMatchObject(words);
  });

  it('A-256 reports the address, the page and the end of a shown page', async () => {
    const reported: unknown[] = [];
    const emit = (event: AgentEvent): void => {
      if (event.type === 'command-start') reported.push([event.type, event.args['url']]);
      if (event.type === 'page-changed') reported.push([event.type, event.url, event.title]);
      if (event.type === 'command-end') reported.push([event.type, event.name, event.ok]);
    };
    const browse = defineTool({
      name: 'Browser.goto',
      description: 'Shows a page.',
      input: z.object({ url: z.string() }),
      run: ({ url }, { pageChanged }) => {
        pageChanged(url, 'A page');
        if (url.endsWith('gone')) throw new Error('no such page');
        return 'shown';
      },
    });
    const role = new RoleZero({
      model: scriptedModel({
        think: [
          commands(['Browser.goto', { url: '/index.html' }]),
          commands(['Browser.goto', { url: '/gone' }]),
          finish,
        ],
      }),
      tools: [browse],
    });
    await watched('page', role, emit);
    expect(reported.slice(0, 5)).toEqual([
      ['command-start', '/index.html'],
      ['page-changed', '/index.html', 'A page'],
      ['command-end', 'Browser.goto', true],
      ['command-start', '/gone'],
      ['command-end', 'Browser.goto', false],
    ]);
  });

  it('a listener that throws does not break the agent', async () => {
    const errors: unknown[] = [];
    const listener = (error: unknown): void => void errors.push(error);
    process.on('uncaughtException', listener);
    try {
      const role = new RoleZero({ model: scriptedModel({ think: [finish] }) });
      const session = await Session.open({
        storage,
        name: 'thrower',
        roles: [role],
        askUser: async () => null,
        emit: (event) => {
          if (event.type === 'phase') throw new Error(`no ${event.type}`);
        },
      });
      expect((await (await session.send('go')).result).status).toBe('done');
      await new Promise((resolve) => setTimeout(resolve));
      expect(errors).toContainEqual(new Error('no phase'));
    } finally {
      process.off('uncaughtException', listener);
    }
  });
});
