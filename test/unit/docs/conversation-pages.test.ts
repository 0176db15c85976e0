import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../../../src/core/model.js';
import type { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { exportsOf } from './snippets.js';

const say = (content: string) => commands(['RoleZero.reply_to_human', { content }], ['end', {}]);
const write = (content: string) => commands(['Editor.write', { path: '/a.txt', content }]);

async function open(think: readonly string[]): Promise<Session> {
  const { RoleZero } = await import('../../../src/agent/role-zero.js');
  return Session.open({
    storage: memoryStorage(),
    name: 's',
    roles: [new RoleZero({ model: scriptedModel({ think }), tools: editor() })],
    askUser: async () => null,
    emit: () => {},
  });
}

const finished = async (run: unknown) => (await (run as ReturnType<Session['send']>)).result;

/** The contents of the user's requests that the model remembers. */
const requests = (session: Session): string[] =>
  session
    .messages()
    .filter(({ causeBy }) => causeBy === 'UserRequirement')
    .map(({ content }) => content);

describe('samples about changing a conversation', () => {
  it('send a request in other words or again, and show its other version', async () => {
    type Changing = Record<'edit' | 'again' | 'versions' | 'show', (...args: unknown[]) => Promise<unknown>>;
    const page = 'docs/how-to/change.md';
    const { edit, again } = await exportsOf<Changing>(page, 'export async function edit');
    const { versions, show } = await exportsOf<Changing>(page, 'export async function versions');
    const session = await open([say('Blue.'), say('Red.'), say('Red, really.')]);
    await finished(session.send('paint it blue', { id: 'first' }));
    await finished(edit(session, 'first', 'paint it red'));
    expect(requests(session)).toEqual(['paint it red']);
    const red = session.messages().find(({ causeBy }) => causeBy === 'UserRequirement')?.id;
    await finished(again(session, red));
    expect(requests(session)).toEqual(['paint it red']);
    const shown = session.messages().find(({ causeBy }) => causeBy === 'UserRequirement')?.id;
    const branches = (await versions(session, shown)) as { id: string }[];
    expect(branches.length).toBeGreaterThan(0);
    await show(session, branches[0]?.id);
    expect(requests(session)).toHaveLength(1);
  });

  it('undo what a run has changed, and list it', async () => {
    type Changes = Record<'undoRun' | 'changes', (...args: unknown[]) => Promise<string[]>>;
    const { undoRun, changes } = await exportsOf<Changes>(
      'docs/how-to/files.md',
      'export async function undoRun',
    );
    const session = await open([write('one\ntwo\n'), say('Written.')]);
    await finished(session.send('write it', { id: 'request' }));
    expect(await changes(session, 'request')).toEqual(['+2 −0 /a.txt']);
    const questions: string[] = [];
    const keep = async (question: string) => questions.push(question) > 0;
    await session.files.write('/a.txt', 'one\nTWO\n');
    await undoRun(session, 'request', keep);
    expect(questions).toEqual([expect.stringMatching(/^Keep your version of \/a\.txt: /)]);
    expect(await session.files.read('/a.txt')).toBe('one\nTWO\n');
  });
});

describe('samples about the options of a role', () => {
  it('choose model, tools and instruction of each step', async () => {
    const { builder } = await exportsOf<{ builder: (small: ChatModel, large: ChatModel) => RoleZero }>(
      'docs/how-to/options.md',
      'export const builder',
    );
    const small = scriptedModel({ think: [commands(['Editor.read', { path: '/missing' }]), say('Done.')] });
    const large = scriptedModel({ think: [write('x')] });
    const { outcome } = await runRole(builder(small, large), 'Write a file.', { files: {} });
    expect(outcome.status).toBe('done');
    expect([...small.leftovers(), ...large.leftovers()]).toEqual([]);
    const prompts = small.requests.map(({ messages }) => JSON.stringify(messages));
    expect(prompts[0]).toContain('You work for the shop Example.');
    expect(prompts.at(-1)).toContain('Check what you wrote.');
  });

  it('set what holds for one request', async () => {
    const { explain } = await exportsOf<{ explain: (session: Session) => ReturnType<Session['send']> }>(
      'docs/how-to/options.md',
      'export const explain',
    );
    const session = await open([say('It adds numbers.')]);
    expect(await finished(explain(session))).toMatchObject({ status: 'done', summary: 'It adds numbers.' });
  });
});
