import * as z from 'zod';
import type { Question } from '../../../src/core/human.js';
import type { JsonValue } from '../../../src/core/json.js';
import type { ChatRequest } from '../../../src/core/model.js';
import { defineTool } from '../../../src/core/define-tool.js';
import type { Tool } from '../../../src/core/tool.js';
import { TeamLeader } from '../../../src/team/team-leader.js';
import { Engineer } from '../../../src/team/engineer.js';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { Team } from '../../../src/session/team.js';
import { commands } from '../../../src/testing/scripted-model.js';
import { editor } from '../../../src/tools/editor/editor.js';
import type { Life, World } from './world.js';

/** A request whose result is always the same unless a user intervenes. */
export interface Job {
  name: string;
  request: string;
  team(world: World, life: Life): Team;
  answer(question: Question): string;
}

/** An unreadable reply with all that its repair holds, and the reply in its place in older recorded sessions. */
export const UNREADABLE = 'I append repaired to /a.txt with Editor.append_file.';
export const UNREADABLE_BEFORE = 'no commands at all';

/** Replies with the next step: the number of steps in the conversation determines it. */
export function byConversation(steps: readonly string[], others: Partial<Record<string, string>> = {}) {
  return ({ purpose, messages }: ChatRequest): string => {
    if (purpose === 'think') {
      const isStep = (content: unknown): boolean =>
        steps.includes(content === UNREADABLE_BEFORE ? UNREADABLE : (content as string));
      const answers = messages.filter(({ content }) => isStep(content)).length;
      return steps[answers] ?? commands(['end', {}]);
    }
    return others[purpose] ?? CALLS[purpose] ?? `${purpose}.`;
  };
}

/** The same where the conversation is compacted: the newest message names the last step. */
export function byLastStep(steps: readonly string[]) {
  return ({ purpose, messages }: ChatRequest): string => {
    if (purpose !== 'think') return CALLS[purpose] ?? `${purpose}.`;
    const newest = messages.at(-1)?.content as string;
    const done = Math.max(-1, ...[...newest.matchAll(/\bstep(\d+)\b/g)].map(([, number]) => Number(number)));
    return steps[done + 1] ?? commands(['end', {}]);
  };
}

const CALLS: Partial<Record<string, string>> = {
  classify: 'Response Category: TASK',
  language: 'English',
  repair: commands(['Editor.append_file', { path: '/a.txt', content: 'repaired' }]),
  regenerate: commands(['Editor.append_file', { path: '/a.txt', content: 'four' }]),
  other: '```html\n<h1>Hi</h1>\n```',
};

/** Created once: their schemas take longer than a whole schedule. */
export const EDITOR = editor();
const WHAT = z.object({ what: z.string() });
const PATH = z.object({ path: z.string() });
export const countTokens = (text: string): number => Math.ceil(text.length / 4);
export const LARGE = { contextWindow: 100_000, countTokens };

/** Tools with external effects, one of each kind. */
export function outside(
  world: World,
  life: Life,
  name: string,
  replay: 'keyed' | 'reconcile' | 'unsafe',
): Tool {
  const happened = (key: string): boolean => world.effects.some((effect) => effect.key === key);
  const common = {
    name,
    description: 'Does something outside.',
    input: WHAT,
    effect: 'egress-write' as const,
    trusted: true,
    run: async ({ what }: { what: string }, { callId }: { callId: string }) => {
      if (!world.intents.has(callId)) world.violations.push(`${name} was run before its intent was stored`);
      await world.effect(life, { tool: name, key: callId, input: what }, replay === 'keyed');
      return `done: ${what}`;
    },
    reconcile: async (key: string, { what }: { what: string }) =>
      happened(key) ? { output: `done: ${what}` } : null,
  };
  return replay === 'unsafe'
    ? defineTool({ ...common, replay, onAmbiguous: 'ask' })
    : defineTool({ ...common, replay });
}

/** Only reads, and may run in parallel with others. */
function looking(world: World, life: Life): Tool {
  return defineTool({
    name: 'Web.look',
    description: 'Looks at something outside.',
    input: WHAT,
    effect: 'egress-read',
    trusted: true,
    parallel: true,
    run: async ({ what }) => {
      await world.touch(life, 'tool', () => undefined);
      return `${what} looks fine`;
    },
  });
}

/** Calls the model during its run. */
function asking(): Tool {
  return defineTool({
    name: 'Poet.verse',
    description: 'Writes a verse into a file.',
    input: PATH,
    run: async ({ path }, { files, ask }) => {
      const verse = (await ask?.({ text: 'A verse, please.' })) ?? '';
      await files.write(path, verse);
      return 'written';
    },
  });
}

export const guarded = defineTool({
  name: 'Guarded.write',
  description: 'Writes with approval.',
  input: PATH,
  run: async ({ path }, { files }) => files.write(path, 'guarded'),
}) as Tool;

/** Appends a line, so that a repetition is visible. */
export const note = defineTool({
  name: 'Note.write',
  description: 'Adds a line to a file.',
  input: PATH,
  run: async ({ path }, { files }) => {
    const before = (await files.stat(path)) === null ? '' : await files.read(path);
    await files.write(path, `${before}noted\n`);
    return 'noted';
  },
}) as Tool;

export type Given = readonly [name: string, args: Record<string, JsonValue>];
export const reply = (content: string): Given => ['RoleZero.reply_to_human', { content }];
export const end: Given = ['end', {}];
export const finish: Given = ['Plan.finish_current_task', {}];
export const task = (id: string, assignee: string, ...after: string[]): Given => [
  'Plan.append_task',
  { task_id: id, dependent_task_ids: after, instruction: `part ${id}`, assignee },
];
export const write = (path: string, content: string): Given => ['Editor.write', { path, content }];
export const append = (path: string, content: string): Given => ['Editor.append_file', { path, content }];
const publish = (content: string, send_to: string): Given => [
  'TeamLeader.publish_team_message',
  { content, send_to },
];
const answer = ({ kind, text }: Question): string =>
  kind === 'approval' || /again\?$/.test(text) ? 'yes' : 'blue';

const ALONE = [
  commands(task('1', 'Zero'), task('2', 'Zero', '1')),
  commands(write('/a.txt', 'one\n'), append('/a.txt', 'two')),
  UNREADABLE, // Repaired.
  commands(['RoleZero.ask_human', { question: 'Which colour?' }]),
  commands(append('/a.txt', 'three')),
  commands(append('/a.txt', 'three')), // A repetition: regenerated.
  commands(['Mail.send', { what: 'to ann' }], finish),
  commands(['Guarded.write', { path: '/b.txt' }], ['Foo.bar', {}]),
  commands(['Shop.order', { what: 'bread' }], ['Bank.pay', { what: '5' }]),
  commands(finish, end),
];

/** Options of the recorded sessions, which were the defaults then. */
export const RECORDED_CLASSIC = { callPlan: 'classic' } as const;
export const RECORDED_MERGED = { callPlan: 'merged', summarize: true } as const;

const alone: Job = {
  name: 'alone',
  request: 'make it',
  answer,
  team: (world, life) => ({
    roles: [
      new RoleZero({
        ...RECORDED_CLASSIC,
        model: world.modelOf(life, { id: 'alone', ...LARGE }, byConversation(ALONE)),
        tools: [
          ...EDITOR,
          guarded,
          outside(world, life, 'Mail.send', 'keyed'),
          outside(world, life, 'Shop.order', 'reconcile'),
          outside(world, life, 'Bank.pay', 'unsafe'),
        ],
        policy: [{ tool: 'Guarded.*', do: 'ask' }],
      }),
    ],
  }),
};

const MERGED = [
  commands(task('1', 'Zero')),
  commands(
    ['Web.look', { what: 'the north' }],
    ['Web.look', { what: 'the south' }],
    write('/page.html', '<p>1'),
  ),
  commands(['Poet.verse', { path: '/verse.txt' }], append('/page.html', '<p>2')),
  commands(['Bank.pay', { what: '7' }], ['Bank.pay', { what: '8' }]),
  commands(finish, reply('All is written.')),
];

const merged: Job = {
  name: 'merged',
  request: 'write a page',
  answer,
  team: (world, life) => ({
    budget: { tokens: 1_000_000 },
    roles: [
      new RoleZero({
        ...RECORDED_MERGED,
        model: world.modelOf(
          life,
          { id: 'merged', ...LARGE, supports: { jsonSchema: true } },
          byConversation(MERGED),
        ),
        tools: [...EDITOR, looking(world, life), asking(), outside(world, life, 'Bank.pay', 'unsafe')],
      }),
    ],
  }),
};

const TEAM: Record<string, string[]> = {
  Mike: [
    commands(
      task('1', 'Alex'),
      task('2', 'Rita', '1'),
      publish('Write /page.html.', 'Alex'),
      reply('On it.'),
    ),
    commands(finish, publish('Read /page.html, please.', 'Rita')),
    commands(finish, reply('The page is written and read.'), end),
  ],
  Alex: [
    commands(['Engineer.write_new_code', { path: '/page.html', file_description: 'a page' }]),
    commands(append('/page.html', '<!-- by Alex -->'), ['Mail.send', { what: 'page' }]),
    commands(reply('There is a page.'), end),
  ],
  Rita: [commands(['Editor.read', { path: '/page.html' }]), commands(reply('It is fine.'), end)],
};

class Reviewer extends RoleZero {
  static override readonly id = 'Reviewer';
}

const team: Job = {
  name: 'team',
  request: 'a page, please',
  answer,
  team: (world, life) => {
    const model = (role: string) =>
      world.modelOf(life, { id: role, ...LARGE }, byConversation(TEAM[role] ?? []));
    return {
      leader: new TeamLeader({ ...RECORDED_CLASSIC, model: model('Mike') }),
      roles: [
        new Engineer({
          ...RECORDED_CLASSIC,
          model: model('Alex'),
          tools: [...EDITOR, outside(world, life, 'Mail.send', 'keyed')],
        }),
        new Reviewer({
          ...RECORDED_CLASSIC,
          name: 'Rita',
          profile: 'Reviewer',
          model: model('Rita'),
          tools: EDITOR,
        }),
      ],
    };
  },
};

const small = (world: World, life: Life, steps: readonly string[], tools: readonly Tool[]): Team => ({
  roles: [
    new RoleZero({
      ...RECORDED_MERGED,
      model: world.modelOf(
        life,
        { id: 'small', ...LARGE, supports: { jsonSchema: true } },
        byConversation(steps),
      ),
      tools,
    }),
  ],
});

const PAYING = [commands(['Bank.pay', { what: '3' }], ['Note.write', { path: '/paid.txt' }], end)];
const paying: Job = {
  name: 'paying',
  request: 'pay',
  answer,
  team: (world, life) => small(world, life, PAYING, [outside(world, life, 'Bank.pay', 'unsafe'), note]),
};

const ORDERING = [
  commands(['RoleZero.ask_human', { question: 'Which colour?' }]),
  commands(['Shop.order', { what: 'blue' }], ['Mail.send', { what: 'ordered' }], end),
];
const ordering: Job = {
  name: 'ordering',
  request: 'order',
  answer,
  team: (world, life) =>
    small(world, life, ORDERING, [
      outside(world, life, 'Shop.order', 'reconcile'),
      outside(world, life, 'Mail.send', 'keyed'),
    ]),
};

const noting: Job = {
  name: 'noting',
  request: 'note',
  answer,
  team: (world, life) => small(world, life, [commands(['Note.write', { path: '/note.txt' }], end)], [note]),
};

const greeting: Job = {
  name: 'greeting',
  request: 'hello',
  answer,
  team: (world, life) => ({
    roles: [
      new RoleZero({
        ...RECORDED_CLASSIC,
        model: world.modelOf(
          life,
          { id: 'greeting', ...LARGE },
          byConversation([], { classify: 'Response Category: QUICK', quick: 'Hello to you.' }),
        ),
      }),
    ],
  }),
};

const LONG = 'words that take room in a window which is small, said again and again. '.repeat(12);
const MANY = Array.from({ length: 9 }, (_, number) =>
  commands(write(`/step${number}.txt`, `${number}\n${LONG}`), [
    'Editor.read',
    { path: `/step${number}.txt` },
  ]),
);

const remembering: Job = {
  name: 'remembering',
  request: 'nine files, please',
  answer,
  team: (world, life) => ({
    roles: [
      new RoleZero({
        preset: 'full',
        ...RECORDED_CLASSIC,
        model: world.modelOf(
          life,
          { id: 'remembering', contextWindow: 6_000, countTokens },
          byLastStep([...MANY, commands(end)]),
        ),
        tools: EDITOR,
        longTermMemory: longTermMemory({ maxMessages: 6 }),
      }),
    ],
  }),
};

/** Complete turns, ten times as long as the others. */
const LONG_JOBS = [alone, merged, team, remembering];
/** A few steps each, with every kind of commit between them. */
const SHORT_JOBS = [paying, ordering, noting, greeting];

/** One in twenty is long: four faults interact more often in short jobs, and many more of those run. */
export const JOBS: readonly Job[] = [...LONG_JOBS, ...Array.from({ length: 19 }, () => SHORT_JOBS).flat()];
