import { describe, expect, it } from 'vitest';
import type { Storage } from '../../../src/core/store.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { RoleZero, type PartFactory } from '../../../src/worker/index.js';
import { wordCount } from './word-count.js';

const say = (content: string) => commands(['RoleZero.reply_to_human', { content }], ['end', {}]);
const roleWith = (think: string[], ...parts: PartFactory[]) =>
  new RoleZero({ model: scriptedModel({ think }), preset: 'full', summarize: false, parts });

function open(storage: Storage, role: RoleZero): Promise<Session> {
  return Session.open({ storage, name: 's', takeOver: true, roles: [role], emit: () => {}, askUser: null });
}

async function send(session: Session, text: string): Promise<void> {
  expect((await (await session.send(text)).result).status).toBe('done');
}

describe('a part of an application', () => {
  it('adds a command, and a section that is sent when it changes', async () => {
    const role = roleWith([commands(['Words.count', {}]), say('Four.')], wordCount());
    const { requests, memory } = await runRole(role, 'count these four words');
    const prompts = requests.map(({ messages }) => String(messages.at(-1)?.content));
    expect(prompts.map((prompt) => /# Words of the user\n(\d+)/.exec(prompt)?.[1])).toEqual(['4', undefined]);
    expect(memory.map(({ content }) => content).join('\n')).toContain('4 words');
  });

  it('stores rows, restores them, and adds a method to the session', async () => {
    const storage = memoryStorage();
    const session = await open(storage, roleWith([say('Yes.')], wordCount()));
    await send(session, 'do it now');
    expect(await session.callPart('words', 'count')).toEqual({ Zero: 3 });
    await session.close();
    const again = await open(storage, roleWith([say('Yes.')], wordCount()));
    expect(await again.callPart('words', 'count')).toEqual({ Zero: 3 });
    await send(again, 'and again');
    expect(await again.callPart('words', 'count')).toEqual({ Zero: 5 });
    const { records } = await again.export();
    expect(records.filter(({ table }) => table === 'parts')).toEqual([
      { table: 'parts', key: 'Zero/words/total', value: 5 },
    ]);
    await again.close();
  });

  it('is named in an error when it or its method does not exist', async () => {
    const session = await open(memoryStorage(), roleWith([], wordCount()));
    await expect(session.callPart('letters', 'count')).rejects.toThrow('part "letters"');
    await expect(session.callPart('words', 'constructor')).rejects.toThrow('Its methods are count.');
    await session.close();
  });

  it('has a name of its own', () => {
    expect(() => roleWith([], wordCount(), wordCount())).toThrow('another part has it');
    expect(() => roleWith([], () => ({ name: 'a/b' }))).toThrow('letters, digits');
  });

  it('knows a reply to a step, gives advice, and is notified of the results and of the last step', async () => {
    const results: unknown[] = [];
    const remembering: PartFactory = () => ({
      name: 'remembering',
      recall: (situation) => {
        const isFirst = situation().news.some(({ content }) => content === 'do it');
        const reply = isFirst ? commands(['Plan.finish_current_task', {}]) : null;
        const markTaken = () => void results.push('taken');
        return Promise.resolve({ reply, advice: isFirst ? '' : 'It worked before.', markTaken });
      },
      onStepResult: ({ reply, failure }) => Promise.resolve(void results.push(reply !== null, failure)),
      onExhausted: () => Promise.resolve(void results.push('exhausted')),
    });
    const model = scriptedModel({ think: ['No commands.'], repair: ['None.'] });
    const role = new RoleZero({ model, preset: 'full', maxSteps: 2, parts: [remembering] });
    const { requests, outcome } = await runRole(role, 'do it');
    expect(outcome.status).toBe('exhausted');
    const asked = requests.filter(({ purpose }) => purpose === 'think');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.messages.at(-1)?.content).toContain('# Past Experience\nIt worked before.');
    const failure = 'It could not be read as commands.';
    expect(results).toEqual(['taken', true, null, 'taken', false, failure, 'exhausted']);
  });

  it('gives advice for the work, and answers a request when its work is done', async () => {
    const asked: string[] = [];
    const counting: PartFactory = () => ({
      name: 'counting',
      onRequest: ({ content }) => void asked.push(content),
      advice: () => ['Count the words.'],
      answer: async ({ ask }) => ({
        value: await ask({ purpose: 'output', key: 'words', text: 'How many words?' }),
      }),
    });
    const model = scriptedModel({ think: [say('Done.')], output: ['Two.'] });
    const role = new RoleZero({ model, preset: 'full', summarize: false, parts: [counting] });
    const { requests } = await runRole(role, 'do it');
    expect(role.agent.outcome).toMatchObject({ status: 'done', output: 'Two.' });
    expect(asked).toEqual(['do it']);
    const prompts = requests.map(({ messages }) => String(messages.at(-1)?.content));
    expect(prompts).toEqual([
      expect.stringContaining('Count the words.'),
      expect.stringContaining('How many words?'),
    ]);
  });

  it('summarizes messages that leave the prompt in place of the model', async () => {
    const leaving: string[] = [];
    const brief: PartFactory = () => ({
      name: 'brief',
      summarize: ({ messages, tokens }) => {
        leaving.push(...messages.map(({ role }) => role));
        return Promise.resolve(`Summary in ${tokens > 0 ? 'some' : 'no'} tokens.`);
      },
    });
    const long = 'word '.repeat(1_500);
    const think = [1, 2, 3, 4, 5, 6].map((step) =>
      commands(['RoleZero.reply_to_human', { content: `${step} ${long}` }]),
    );
    const model = scriptedModel({ think: [...think, commands(['end', {}])] }, { contextWindow: 16_000 });
    const role = new RoleZero({ model, preset: 'full', summarize: false, parts: [brief] });
    const { requests } = await runRole(role, 'do it');
    expect(requests.some(({ purpose }) => purpose === 'compact')).toBe(false);
    const prompts = requests.map(({ messages }) => messages.map(({ content }) => String(content)).join('\n'));
    expect(prompts.join('\n')).toContain('Your notes on them:\nSummary in some tokens.');
    expect(leaving.slice(0, 2)).toEqual(['user', 'assistant']);
  });

  it('is notified of each step, of the end of a turn, and of each commit', async () => {
    const calls: string[] = [];
    const listening: PartFactory = () => ({
      name: 'listening',
      onStep: ({ step }) => void calls.push(`step ${step}`),
      onTurnEnd: () => void calls.push('end'),
      onCommit: () => void (calls.at(-1) === 'commit' || calls.push('commit')),
    });
    await runRole(roleWith([commands(['Plan.finish_current_task', {}]), say('Yes.')], listening), 'do it');
    expect(calls).toEqual(['commit', 'step 0', 'commit', 'step 1', 'commit', 'end', 'commit']);
  });
});
