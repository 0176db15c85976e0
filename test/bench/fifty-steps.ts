import { isRecord } from '../../src/core/json.js';
import type { ChatModel, ChatRequest } from '../../src/core/model.js';
import { RoleZeroError } from '../../src/core/error.js';
import { RoleZero } from '../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../src/testing/index.js';
import type { RunRoleResult } from '../../src/testing/run-role.js';
import { editor } from '../../src/tools/editor/editor.js';

/** Typical for English and code with the usual tokenizers. */
export const countTokens = (text: string): number => Math.ceil(text.length / 3.6);

export const STEPS = 50;

/** Names of the parts of a small shop's page. Each is written, read, changed and read again. */
const PARTS = [
  'head',
  'menu',
  'search',
  'list',
  'card',
  'basket',
  'till',
  'account',
  'contact',
  'help',
  'news',
  'foot',
];

/** The request and the replies of the model: a plan, four steps per part, the closing text. */
function script(steps: number): { request: string; think: string[] } {
  const parts = Array.from({ length: Math.floor((steps - 2) / 4) }, (_, index) => {
    const part = PARTS[index % PARTS.length] ?? '';
    return index < PARTS.length ? part : `${part}-${Math.floor(index / PARTS.length) + 1}`;
  });
  const plan = commands(
    ...PARTS.slice(0, 3).map((part, index): [string, Record<string, string | string[]>] => [
      'Plan.append_task',
      {
        task_id: String(index + 1),
        dependent_task_ids: index === 0 ? [] : [String(index)],
        instruction: `Write the parts of the page from ${part} on`,
        assignee: 'Zero',
      },
    ]),
  );
  const work = parts.flatMap((part, index) => {
    const path = `/shop/${part}.html`;
    return [
      commands(['Editor.write', { path, content: markup(part, index) }]),
      commands(['Editor.read', { path }]),
      commands(['Editor.replace_text', { path, old: `<p>${part} 3:`, new: `<p class="first">${part} 3:` }]),
      index % 4 === 3 && index < 12
        ? commands(['Plan.finish_current_task', {}])
        : commands(['Editor.search_dir', { search_term: `${part} 5`, path: '/shop' }]),
    ];
  });
  const closing = commands(
    ['RoleZero.reply_to_human', { content: 'The shop stands in /shop.' }],
    ['end', {}],
  );
  return {
    request: 'Build the page of a small shop in /shop, one file a part, and check each of them.',
    think: [plan, ...work, closing],
  };
}

function markup(part: string, index: number): string {
  const lines = Array.from(
    { length: 8 },
    (_, line) => `  <p>${part} ${line + 1}: ${WORDS[(index + line) % WORDS.length]}</p>`,
  );
  return [`<section id="${part}">`, ...lines, '</section>', ''].join('\n');
}

const WORDS = [
  'apples and pears of the season, sold by the pound',
  'bread from the oven next door, as long as there is some',
  'cheese of three valleys, old and young',
  'a basket to carry it all home in',
  'what people say who have been here',
];

/** Runs the fifty steps, or more, with a model of this window, which rejects prompts that do not fit, like real engines. */
export async function fiftySteps(
  contextWindow: number,
  preset: 'full' | 'small' = 'full',
  steps = STEPS,
): Promise<RunRoleResult & { overflows: number }> {
  const { request, think } = script(steps);
  const scripted = scriptedModel(
    {
      think,
      compact:
        'Asked: the page of a small shop in /shop, a file a part. Parts are written, read, changed and searched one by one.',
    },
    { contextWindow, countTokens, chunkSize: 4_096 },
  );
  let overflows = 0;
  const model: ChatModel = {
    ...scripted,
    async *chat(asked: ChatRequest) {
      if (tokensOf(asked) + (asked.maxOutputTokens ?? 0) > contextWindow) {
        overflows += 1;
        throw new RoleZeroError('context-overflow', 'The prompt is too long.');
      }
      yield* scripted.chat(asked);
    },
  };
  const result = await runRole(
    new RoleZero({ model, preset, maxSteps: steps + 1, tools: [...editor()] }),
    request,
  );
  return { ...result, overflows };
}

/** Runs a task of twenty commands: ten files are written, and each is read. */
export function twentyCommands(): Promise<RunRoleResult> {
  const think = Array.from({ length: 10 }, (_, number) => {
    const path = `/notes/${number}.txt`;
    return [
      `I write file ${number}.\n${commands(['Editor.write', { path, content: `Note ${number}\n` }])}`,
      `I read file ${number}.\n${commands(['Editor.read', { path }])}`,
    ];
  });
  const closing = commands(['RoleZero.reply_to_human', { content: 'They are in /notes.' }], ['end', {}]);
  const model = scriptedModel({ think: [...think.flat(), closing] });
  return runRole(new RoleZero({ model, tools: editor() }), 'Write ten notes into /notes and read each.');
}

/** Changes a line of a file of a thousand lines. Returns the tokens of what the model reads about it. */
export async function changedLine(): Promise<number> {
  const path = '/long.txt';
  const content = Array.from({ length: 1_000 }, (_, line) => `Line ${line + 1} of a long text.\n`).join('');
  const model = scriptedModel({
    think: [
      commands(['Editor.write', { path, content }]),
      commands(['Editor.replace_text', { path, old: 'Line 500 of', new: 'Line five hundred of' }]),
      commands(['end', {}]),
    ],
  });
  const { memory } = await runRole(new RoleZero({ model, tools: editor() }), 'Change a line of a long text.');
  const observation = memory.find(({ content }) => /^Command Editor\.replace_text executed/.test(content));
  if (observation === undefined) throw new Error('There is no observation of the change.');
  return countTokens(observation.content);
}

/** Tokens of a prompt, chat template included. */
export function tokensOf({ messages }: Pick<ChatRequest, 'messages'>): number {
  return messages.reduce((sum, { content }) => sum + countTokens(textOf(content)) + 6, 0);
}

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content
        .map((part: unknown) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
        .join('\n')
    : '';
}
