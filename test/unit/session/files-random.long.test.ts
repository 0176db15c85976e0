import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/core/json.js';
import type { ChatModel } from '../../../src/core/model.js';
import type { Storage } from '../../../src/core/store.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { keysOf } from '../../../src/files/slices.js';
import type { FileRecord } from '../../../src/files/file-record.js';
import type { HistoryRecord } from '../../../src/files/history.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { terminal } from '../../../src/tools/terminal/node.js';
import { dyingAt } from './storages.js';

/** The reference model: contents by path. */
type Files = ReadonlyMap<string, string>;
type Step = readonly [name: string, args: Record<string, JsonValue>];

/** Applies an action of the agent or the user; null when these files do not allow it. */
type Action = (files: Files) => { step: Step; after: Files } | null;

const path = fc
  .tuple(fc.constantFrom('/', '/d/', '/d/e/'), fc.constantFrom('a', 'b', 'c'))
  .map((parts) => `${parts.join('')}.txt`);
const word = fc.stringMatching(/^[a-z]{1,4}$/u);
/** How often a content is repeated: short ones are in the row of their file, long ones have their own. */
const times = fc.constantFrom(1, 1, 400);
const with_ = (files: Files, changed: string, content: string): Files =>
  new Map([...files, [changed, content]]);
const without = (files: Files, gone: (each: string) => boolean): Files =>
  new Map([...files].filter(([each]) => !gone(each)));

const change: fc.Arbitrary<Action> = fc.oneof(
  fc.tuple(path, fc.array(word, { maxLength: 4 }), times).map(([to, words, many]): Action => {
    const content = words
      .map((each) => `${each}\n`)
      .join('')
      .repeat(many);
    return (files) => ({ step: ['Editor.write', { path: to, content }], after: with_(files, to, content) });
  }),
  fc.tuple(path, word).map(([to, text]): Action => (files) => {
    const before = files.get(to);
    if (before === undefined || before === '') return null;
    return {
      step: ['Editor.append_file', { path: to, content: text }],
      after: with_(files, to, `${before}${text}\n`),
    };
  }),
  fc.tuple(path, fc.nat(5), word).map(([to, line, text]): Action => (files) => {
    const lines = files.get(to)?.split('\n').slice(0, -1) ?? [];
    if (line >= lines.length) return null;
    const after = lines
      .with(line, text)
      .map((each) => `${each}\n`)
      .join('');
    const content = lines[line] ?? '';
    const args = {
      path: to,
      first_replaced_line_number: line + 1,
      first_replaced_line_content: content,
      last_replaced_line_number: line + 1,
      last_replaced_line_content: content,
      new_content: text,
    };
    return { step: ['Editor.edit_file_by_replace', args], after: with_(files, to, after) };
  }),
  fc.tuple(path, word).map(([to, text]): Action => (files) => ({
    step: ['Terminal.run_command', { cmd: `mkdir -p /d/e; echo ${text} >> ${to}` }],
    after: with_(files, to, `${files.get(to) ?? ''}${text}\n`),
  })),
  fc.tuple(path, word, word).map(([to, from, by]): Action => (files) => {
    const before = files.get(to);
    if (before === undefined) return null;
    return {
      step: ['Terminal.run_command', { cmd: `sed -i 's/${from}/${by}/g' ${to}` }],
      after: with_(files, to, before.replaceAll(from, by)),
    };
  }),
  fc.tuple(path, path).map(([from, to]): Action => (files) => {
    const content = files.get(from);
    if (content === undefined || from === to) return null;
    return {
      step: ['Terminal.run_command', { cmd: `mkdir -p /d/e; mv ${from} ${to}` }],
      after: with_(
        without(files, (each) => each === from),
        to,
        content,
      ),
    };
  }),
  fc.constantFrom('/d', '/d/e').map((directory): Action => (files) => ({
    step: ['Terminal.run_command', { cmd: `rm -rf ${directory}` }],
    after: without(files, (each) => each.startsWith(`${directory}/`)),
  })),
);

const kill = fc.option(
  fc.record({
    point: fc.integer({ min: 1, max: 12 }),
    moment: fc.constantFrom('before' as const, 'after' as const),
  }),
);
const round = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      who: fc.constant('agent' as const),
      actions: fc.array(change, { minLength: 1, maxLength: 4 }),
      kill,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      who: fc.constant('user' as const),
      path,
      content: fc.option(fc.tuple(word, times).map(([text, many]) => `${text}\n`.repeat(many))),
      kill,
    }),
  },
  { weight: 3, arbitrary: fc.record({ who: fc.constant('undo' as const), kill }) },
);

/** A model with the replies of the round, which depend on the conversation, so they are the same after a kill. */
function speaker(replies: readonly string[]): ChatModel {
  return {
    id: 'by conversation',
    contextWindow: 1_000_000,
    async *chat({ purpose, messages }) {
      const answers = messages.filter(
        ({ role, content }) => role === 'assistant' && replies.includes(content as string),
      );
      const spoken: Record<string, string> = {
        classify: 'Response Category: TASK',
        language: 'English',
        think: replies[answers.length] ?? 'out of replies',
      };
      yield { type: 'text-delta', text: spoken[purpose] ?? `${purpose}.` };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

/** Returns the keys of stored contents that no file and no change needs. */
async function unneededContents(storage: Storage): Promise<string[]> {
  const store = await storage.open('s', { takeOver: true });
  const [files, history, contents] = await Promise.all([
    store.load('files'),
    store.load('history'),
    store.load('contents'),
  ]);
  await store.close();
  const inFiles = files.flatMap(({ value }) => {
    const { stored } = value as FileRecord;
    return stored === undefined ? [] : keysOf(stored);
  });
  const inHistory = history.flatMap(({ value }) =>
    (value as HistoryRecord).changes.flatMap(({ before }) =>
      before?.slices === undefined ? [before?.key ?? before?.hash] : before.slices.map(([key]) => key),
    ),
  );
  const needed = new Set([...inFiles, ...inHistory]);
  return contents.map(({ key }) => key).filter((key) => !needed.has(key));
}

test('matches a simple model for any edits, shell commands, undos and kills', async () => {
  let undone = 0;
  let killed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 10 }), async (rounds) => {
      const storage = memoryStorage();
      const replies: string[] = [];
      let files: Files = new Map();
      /** The files before each entry that can still be undone, newest last. */
      const past: { before: Files; id: () => Promise<string> }[] = [];

      const open = (on: Storage): Promise<Session> =>
        Session.open({
          storage: on,
          name: 's',
          takeOver: true,
          roles: [
            new RoleZero({
              model: speaker(replies),
              tools: [...editor({ autoLint: false }), ...terminal()],
              maxMessages: 1000,
            }),
          ],
          askUser: null,
          emit: () => {},
        });
      /** Performs an action in a session that may be killed; then repeats or completes it in one that is not. */
      const surviving = async (
        dies: { point: number; moment: 'before' | 'after' } | null,
        work: (session: Session) => Promise<unknown>,
        goOn: (session: Session) => Promise<unknown>,
      ): Promise<void> => {
        if (dies === null) {
          const session = await open(storage);
          await work(session);
          await session.close();
          return;
        }
        const dying = dyingAt(storage, dies.point, dies.moment);
        const first = await open(dying.storage);
        const end = await Promise.race([dying.died.then(() => 'died'), work(first).then(() => 'done')]);
        if (end === 'died') {
          killed += 1;
          const session = await open(storage);
          await goOn(session);
          await session.close();
        } else await first.close();
      };
      const lastEntry = async (): Promise<{ id: string; step: string; count: number }> => {
        const session = await open(storage);
        const history = await session.files.history();
        await session.close();
        const last = history.at(-1);
        return { id: last?.id ?? '', step: last?.step ?? '', count: history.length };
      };

      for (const [number, now] of rounds.entries()) {
        const before = files;
        const known = await lastEntry();
        if (now.who === 'agent') {
          const steps: Step[] = [];
          for (const action of now.actions) {
            const done = action(files);
            // A reply contains at most one edit by line numbers.
            if (
              done === null ||
              (steps.some(([name]) => /replace$|append/.test(name)) && /replace$|append/.test(done.step[0]))
            )
              continue;
            const [name, { path: to }] = done.step;
            // A file that the model has not seen is not replaced at once.
            if (name === 'Editor.write' && files.has(String(to)))
              steps.push(['Editor.read', { path: to ?? '' }]);
            steps.push(done.step);
            files = done.after;
          }
          replies.push(
            commands(...steps, ['Terminal.run_command', { cmd: `: round ${number}` }]),
            commands(['RoleZero.reply_to_human', { content: `round ${number}` }], ['end', {}]),
          );
          const go = async (session: Session) => (await session.send(`round ${number}`)).result;
          await surviving(now.kill, go, async (session) => {
            if (session.resumable) await (await session.resume()).result;
            // Killed before the message was stored: the user sends it again.
            else if (!session.messages().some(({ content }) => content === `round ${number}`))
              await go(session);
          });
        } else if (now.who === 'user') {
          const { path: changed, content } = now;
          if (content === null && !files.has(changed)) continue;
          files =
            content === null ? without(files, (each) => each === changed) : with_(files, changed, content);
          const edit = (session: Session) =>
            content === null ? session.files.remove(changed) : session.files.write(changed, content);
          await surviving(now.kill, edit, async (session) => {
            if ((await session.files.history()).length === known.count && before.get(changed) !== content)
              await edit(session).catch(() => {});
          });
        } else {
          const last = past.pop();
          if (last === undefined) continue;
          files = last.before;
          undone += 1;
          const id = await last.id();
          const undo = async (session: Session) => session.files.undo(id);
          await surviving(now.kill, undo, async (session) => {
            // An entry without changes is not added; the comparison of the others covers it.
            const history = await session.files.history();
            const isUndone = history.some((entry) => (entry.id === id || entry.step === id) && entry.undone);
            if (history.length === known.count && !isUndone) await undo(session);
          });
        }
        const after = await lastEntry();
        if (now.who !== 'undo' && after.count > known.count)
          past.push({ before, id: async () => (now.who === 'agent' ? after.step : after.id) });
        const session = await open(storage);
        const all = await session.files.readAll();
        await session.close();
        expect(await unneededContents(storage), `after round ${number}, ${now.who}`).toEqual([]);
        const found = all.flatMap(({ path: each, content }) =>
          content === undefined ? [] : [[each, new TextDecoder().decode(content)] as const],
        );
        expect(Object.fromEntries(found), `after round ${number}, ${now.who}`).toEqual(
          Object.fromEntries(files),
        );
      }
    }),
    { numRuns: 30 },
  );
  expect(undone).toBeGreaterThan(5);
  expect(killed).toBeGreaterThan(5);
}, 240_000);
