import { expect, it } from 'vitest';
import type { JsonValue } from '../../../src/core/json.js';
import { memoryExperiences } from '../../../src/experience/memory-store.js';
import { ExperiencePool } from '../../../src/experience/pool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

const TASKS = 50;

interface Task {
  request: string;
  files: Record<string, string>;
  /** Replies of a model, step by step. */
  thoughts: string[];
}

type Spec = readonly [string, Record<string, JsonValue>];
const plan = (...instructions: string[]): Spec[] =>
  instructions.map((instruction, index) => [
    'Plan.append_task',
    {
      task_id: String(index + 1),
      dependent_task_ids: index === 0 ? [] : [String(index)],
      instruction,
      assignee: 'Zero',
    },
  ]);
const FINISH = ['Plan.finish_current_task', {}] as const;
const END = ['end', {}] as const;
const reply = (content: string) => ['RoleZero.reply_to_human', { content }] as const;

/** Five kinds of tasks with two to five steps, each with its own subject. */
function task(number: number): Task {
  const page = `/page${number}.html`;
  const notes = { '/notes.txt': `note ${number}\nlast` };
  switch (number % 5) {
    case 0:
      return {
        request: `Write page ${number}.`,
        files: {},
        thoughts: [
          commands(['Editor.write', { path: page, content: `<p>${number}</p>` }]),
          commands(reply('It is written.'), END),
        ],
      };
    case 1:
      return {
        request: `Add line ${number} to the notes.`,
        files: notes,
        thoughts: [
          commands(['Editor.read', { path: '/notes.txt' }]),
          commands(['Editor.append_file', { path: '/notes.txt', content: `line ${number}` }]),
          commands(['Editor.open_file', { path: '/notes.txt' }]),
          commands(END),
        ],
      };
    case 2:
      return {
        request: `Plan and write book ${number}.`,
        files: {},
        thoughts: [
          commands(...plan(`outline ${number}`, `write ${number}`)),
          commands(['Editor.write', { path: '/outline.md', content: `# ${number}` }], FINISH),
          commands(['Editor.write', { path: '/book.md', content: `Book ${number}` }], FINISH),
          commands(reply(`Book ${number} is written.`)),
          commands(END),
        ],
      };
    case 3: // A failed step gets another model call.
      return {
        request: `Repair page ${number}.`,
        files: { [page]: 'broken' },
        thoughts: [
          commands(['Editor.read', { path: `/site${page}` }]),
          commands(['Editor.read', { path: page }]),
          commands(['Editor.write', { path: page, content: `<p>${number}</p>` }]),
          commands(reply('It is repaired.'), END),
        ],
      };
    default:
      return {
        request: `Look for ${number} in the notes and tell.`,
        files: notes,
        thoughts: [
          commands(['Editor.search_file', { search_term: String(number), path: '/notes.txt' }]),
          commands(reply(`Line 1 says ${number}.`)),
          commands(END),
        ],
      };
  }
}

/** Runs one task in a new session. The model gives the replies of the task, without those of repeated steps. */
async function work({ request, files, thoughts }: Task, pool: ExperiencePool, known: readonly string[] = []) {
  const think = thoughts.filter((thought) => !known.includes(thought));
  const model = scriptedModel({ think }, { countTokens: (text) => Math.ceil(text.length / 4) });
  const role = new RoleZero({ callPlan: 'classic', model, tools: editor(), experiencePool: pool });
  const result = await runRole(role, request, { files });
  expect(model.leftovers()).toEqual([]);
  const { outcome, plan: planned, files: left, human } = result;
  return { calls: result.requests.length, left: { outcome, planned, left, human } };
}

it(`repeating ${TASKS} tasks saves at least 40 % of the model calls with equal results`, async () => {
  const store = memoryExperiences();
  const tasks = Array.from({ length: TASKS }, (_, index) => task(index));
  const passes: { calls: number; left: unknown }[][] = [];
  for (let pass = 0; pass < 2; pass++) {
    // Each pass reopens the pool, as a later visit of the page does.
    const pool = new ExperiencePool({ name: 'bench', store, enableRead: true, enableWrite: true });
    const learned = (await pool.list()).filter((experience) => !pool.isQuarantined(experience));
    const known = learned.map(({ resp }) => resp);
    const results = [];
    for (const each of tasks) results.push(await work(each, pool, known));
    passes.push(results);
  }
  const [first = [], second = []] = passes;
  expect(second.map(({ left }) => left)).toEqual(first.map(({ left }) => left));

  const kinds = ['write', 'append', 'plan', 'repair', 'search'];
  const calls = (results: { calls: number }[], kind: number | null) =>
    results.reduce((sum, result, index) => sum + (kind === null || index % 5 === kind ? result.calls : 0), 0);
  const row = (name: string, kind: number | null) => {
    const [before, after] = [calls(first, kind), calls(second, kind)];
    return {
      kind: name,
      'first pass': before,
      'second pass': after,
      ratio: Number((after / before).toFixed(2)),
    };
  };
  console.table([...kinds.map(row), row('all', null)]);
  expect(calls(first, null)).toBe(10 * (5 + 8 + 8 + 7 + 6));
  expect(calls(second, null)).toBeLessThanOrEqual(0.6 * calls(first, null));
});
