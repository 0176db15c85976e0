import { expect } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { AgentEvent } from '../../../src/core/events.js';
import type { JsonValue } from '../../../src/core/json.js';
import type { ChatModel } from '../../../src/core/model.js';
import * as s from '../../../src/core/schema.js';
import type { Storage } from '../../../src/core/store.js';
import { builtInTool } from '../../../src/core/tool.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

type Commands = [name: string, args: Record<string, JsonValue>][];

/** Holds the next step of a model, until it is opened. */
export class Gate {
  #held: { reach: () => void; opened: Promise<void> } | null = null;

  /** Holds the next step. `reached` resolves when the model is asked for it. */
  close(): { reached: Promise<void>; open: () => void } {
    let open: () => void = () => {};
    let reach: () => void = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const reached = new Promise<void>((resolve) => (reach = resolve));
    this.#held = { reach, opened };
    return { reached, open };
  }

  async pass(signal: AbortSignal): Promise<void> {
    const held = this.#held;
    this.#held = null;
    if (held === null) return;
    held.reach();
    await Promise.race([held.opened, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
    signal.throwIfAborted();
  }
}

/** A model that does what the newest request says: `write /a one`, `append /a two`, `plan x`, `call`. */
function obedient(gate: Gate): ChatModel {
  const inner = scriptedModel([]);
  return {
    ...inner,
    contextWindow: 128_000,
    async *chat({ messages, purpose, signal }) {
      signal.throwIfAborted();
      if (purpose === 'think') await gate.pass(signal);
      const texts = messages.filter(({ role }) => role === 'user').map(({ content }) => String(content));
      const asked = texts.flatMap((text) => /do: (.+?) \(\d+\)/.exec(text)?.[1] ?? []).at(-1) ?? '';
      const isNew = /do: .+? \(\d+\)/.test(texts.at(-1) ?? '');
      const [verb = '', path = '', word = ''] = asked.split(' ');
      const work: Commands =
        verb === 'write'
          ? [['Editor.write', { path, content: `${word}\n` }]]
          : verb === 'append'
            ? [['Editor.append_file', { path, content: `${word}\n` }]]
            : verb === 'call'
              ? [['Outside.call', {}]]
              : [
                  [
                    'Plan.append_task',
                    { task_id: path, dependent_task_ids: [], instruction: path, assignee: 'Zero' },
                  ],
                ];
      const done: Commands = [
        ['RoleZero.reply_to_human', { content: `did ${asked}` }],
        ['end', {}],
      ];
      const text = purpose === 'think' ? commands(...(isNew ? work : done)) : 'Summary.';
      yield { type: 'text-delta', text };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

let number = 0;
/** A request for the obedient model. */
export const ask = (what: string): string => `do: ${what} (${number++})`;

/** Opens a session whose model does what it is asked. */
export async function open(
  storage: Storage = memoryStorage(),
  options: Partial<ConstructorParameters<typeof RoleZero>[0]> = {},
  gate = new Gate(),
): Promise<{ session: Session; events: AgentEvent[]; storage: Storage }> {
  const events: AgentEvent[] = [];
  const outside = builtInTool({
    name: 'Outside.call',
    description: 'Call somebody.',
    input: s.args({}),
    effect: 'egress-write',
    run: () => 'called',
  });
  const session = await Session.open({
    storage,
    name: 's',
    takeOver: true,
    roles: [
      new RoleZero({
        model: obedient(gate),
        preset: 'full',
        tools: [...editor(), outside],
        policy: [{ tool: '*', do: 'allow' }],
        ...options,
      }),
    ],
    askUser: null,
    emit: (event) => events.push(event),
  });
  return { session, events, storage };
}

/** Sends a request and waits for its end. Returns the id of the request. */
export async function send(session: Session, what: string): Promise<string> {
  const id = `request-${number}`;
  const run = await session.send(ask(what), { id });
  expect((await run.result).status).toBe('done');
  return id;
}

/** What a user sees of a session. */
export interface Shown {
  /** Each path with its text, and the directories. */
  files: [path: string, text: string | undefined][];
}

/** Returns what a user sees of a session. */
export async function shown(session: Session): Promise<Shown> {
  const history = await session.files.history();
  const files = await session.files.readAll();
  return structuredClone({
    messages: session.messages().map(({ id, content }) => [id, content]),
    plan: session.plan(),
    files: files.map(({ path, content }): Shown['files'][number] => [
      path,
      content && new TextDecoder().decode(content),
    ]),
    changes: history.flatMap(({ id, paths, undone, undonePaths }) =>
      undone ? [] : [[id, paths.filter((path) => !undonePaths.includes(path))]],
    ),
    memories: (await session.memory.list({ limit: 1_000 }).catch(() => [])).map(({ id }) => id),
    steps: (await session.steps()).map(({ replyId }) => replyId),
    lastRun: session.lastRun,
    tools: session.environment.roles.map(({ agent }) => agent.state.tools),
  });
}
