import { askModel } from '../../../src/agent/runtime/ask-model.js';
import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import type { ChatModel } from '../../../src/core/model.js';
import type { SessionExport } from '../../../src/core/store.js';
import { defineTool } from '../../../src/core/define-tool.js';
import type { Tool } from '../../../src/core/tool.js';
import { TeamLeader } from '../../../src/team/team-leader.js';
import { Engineer } from '../../../src/team/engineer.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, replay, scriptedModel } from '../../../src/testing/index.js';
import type { RecordedModels } from '../../../src/testing/replay.js';
import { editor } from '../../../src/tools/index.js';

/** A command with an external effect; counts its runs. */
function postcard(sent: string[]): Tool {
  return defineTool({
    name: 'Post.send',
    description: 'Sends a postcard.',
    input: z.object({ text: z.string() }),
    effect: 'egress-write',
    replay: 'unsafe',
    onAmbiguous: 'fail',
    run: ({ text }) => {
      sent.push(text);
      return `sent as number ${sent.length}`;
    },
  });
}

const write = (path: string, content: string) => ['Editor.write', { path, content }] as const;
const reply = (content: string) => ['RoleZero.reply_to_human', { content }] as const;
const end = ['end', {}] as const;

/**
 * A session with a greeting, a task with unread messages in the middle, a question, an external effect, a stop, and
 * an earlier file.
 */
async function recordedSession(): Promise<{ document: SessionExport; sent: string[] }> {
  const sent: string[] = [];
  const storage = memoryStorage();
  const model = scriptedModel({
    classify: ['Response Category: QUICK', 'Response Category: TASK'],
    quick: 'Hello!',
    think: [
      commands(['Editor.read', { path: '/given.txt' }], write('/a.txt', 'one')),
      commands(['Post.send', { text: 'hi' }], ['RoleZero.ask_human', { question: 'Which color?' }]),
      commands(write('/b.txt', 'two'), ['Nowhere.go', {}]),
      commands(reply('Done.'), end),
    ],
  });
  const stopping: { session: Session | null } = { session: null };
  const onEvent = (event: AgentEvent): void => {
    if (event.type !== 'step-end') return;
    if (event.trace.step === 0 && event.trace.commands.length > 0)
      void stopping.session?.send('and be quick');
    if (event.trace.step === 2) stopping.session?.stop();
  };
  const session = await Session.open({
    storage,
    name: 's',
    roles: [new RoleZero({ callPlan: 'classic', model, tools: [...editor(), postcard(sent)] })],
    emit: onEvent,
    askUser: async () => 'blue',
  });
  stopping.session = session;
  await session.files.write('/given.txt', 'given');
  await (
    await session.send('hello')
  ).result;
  expect((await (await session.send('write two files')).result).status).toBe('stopped');
  expect((await (await session.resume()).result).status).toBe('done');
  expect(model.leftovers()).toEqual([]);
  const document = await session.export();
  await session.close();
  return { document, sent };
}

const zero =
  (tools: readonly Tool[]) =>
  (model: RecordedModels): RoleZero =>
    new RoleZero({ callPlan: 'classic', model: model('Zero'), tools: [...tools] });

describe('a session replayed from its export (R-208)', () => {
  it('has the same result, without a model and without a second external effect', async () => {
    const { document, sent } = await recordedSession();
    const { differences, document: played } = await replay(document, zero([...editor(), postcard(sent)]), {
      files: { '/given.txt': 'given' },
    });
    expect(differences).toEqual([]);
    expect(sent).toEqual(['hi']);
    const answers = played.records.filter(({ table }) => table === 'messages').length;
    expect(answers).toBe(document.records.filter(({ table }) => table === 'messages').length);
  });

  it('describes the difference after a change', async () => {
    const { document, sent } = await recordedSession();
    const louder = editor().map((tool) =>
      tool.name === 'Editor.write'
        ? {
            ...tool,
            run: async (input: unknown, context: Parameters<Tool['run']>[1]) => {
              const { path, content } = input as { path: string; content: string };
              await context.files.write(path, `${content}!`);
              return 'written';
            },
          }
        : tool,
    );
    const { differences } = await replay(document, zero([...louder, postcard(sent)]), {
      files: { '/given.txt': 'given' },
    });
    expect(differences).toContain('/a.txt, file 1: "one!" instead of "one"');
    expect(differences.find((each) => each.startsWith('Zero, message'))).toContain(
      'Editor.write executed: written',
    );
  });

  it('reports an additional model call of a role', async () => {
    const { document, sent } = await recordedSession();
    const longer = (model: RecordedModels): RoleZero => {
      class Checking extends RoleZero {
        protected override async end(): Promise<string> {
          await askModel(this.agent, this.agent.run, {
            purpose: 'score',
            key: 'check',
            text: 'Is it good?',
          });
          return super.end();
        }
      }
      return new Checking({ model: model('Zero'), tools: [...editor(), postcard(sent)] });
    };
    const { differences } = await replay(document, longer, { files: { '/given.txt': 'given' } });
    expect(differences[0]).toContain('Zero makes a model call that the recorded session does not contain');
  });

  it('replays an export from the middle of a run', async () => {
    const storage = memoryStorage();
    const model = scriptedModel({
      think: [commands(write('/a.txt', 'one')), commands(write('/b.txt', 'two'))],
    });
    const holder: { session: Session | null } = { session: null };
    const session = await Session.open({
      storage,
      name: 's',
      roles: [new RoleZero({ callPlan: 'classic', model, tools: editor() })],
      emit: (event) => {
        if (event.type === 'step-end') holder.session?.stop();
      },
      askUser: null,
    });
    holder.session = session;
    await (
      await session.send('go')
    ).result;
    const { differences, document } = await replay(await session.export(), zero(editor()));
    expect(differences).toEqual([]);
    expect(document.records.some(({ table, key }) => table === 'files' && key.includes('a.txt'))).toBe(true);
    await session.close();
  });

  it('replays a team', async () => {
    const steps: Record<string, string[]> = {
      Mike: [
        commands(
          ['Plan.append_task', { task_id: '1', dependent_task_ids: [], instruction: 'w', assignee: 'Alex' }],
          ['TeamLeader.publish_team_message', { content: 'Write /page.html, please.', send_to: 'Alex' }],
        ),
        commands(['Plan.finish_current_task', {}], reply('It is written.'), end),
      ],
      Alex: [
        commands(write('/page.html', '<h1>Hi</h1>')),
        commands(reply('There it is.'), end),
        commands(reply('Again.'), end),
      ],
    };
    const team = (model: (role: string) => ChatModel) => ({
      leader: new TeamLeader({ model: model('Mike') }),
      roles: [new Engineer({ model: model('Alex'), tools: editor() })],
    });
    const session = await Session.open({
      storage: memoryStorage(),
      name: 's',
      ...team((role) => scriptedModel({ think: steps[role] ?? [] })),
      emit: () => {},
      askUser: async () => null,
    });
    await (
      await session.send('a page, please')
    ).result;
    await (
      await session.send('thanks, make it again', { to: 'Alex' })
    ).result;
    await (
      await session.send('a third one')
    ).result; // The scripts of the models are used up here.
    expect(session.resumable).toBe(true);
    const document = await session.export();
    await session.close();
    expect((await replay(document, team)).differences).toEqual([]);
  });

  it('rejects an invalid export, and a session whose beginning is no longer stored', async () => {
    await expect(replay({ some: 'thing' }, zero([]))).rejects.toMatchObject({ code: 'invalid' });
    const { document } = await recordedSession();
    const records = document.records.filter(
      ({ table, key }) => table !== 'steps' || !key.endsWith('/0000000000'),
    );
    await expect(replay({ ...document, records }, zero(editor()))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('its first steps are no longer stored') as string,
    });
  });
});
