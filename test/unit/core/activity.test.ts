import { describe, expect, it } from 'vitest';
import { activityOf, commandActivity } from '../../../src/core/activity.js';
import type { AgentEvent } from '../../../src/core/events.js';
import { defineTool } from '../../../src/core/define-tool.js';
import type { JsonValue } from '../../../src/core/json.js';
import type { Tool } from '../../../src/core/tool.js';
import { notes } from '../../../src/notes/index.js';
import { subagents } from '../../../src/subagents/index.js';
import { TeamLeader } from '../../../src/team/team-leader.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { ThinkingRole } from '../../../src/metagpt/thinking-role.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { browser } from '../../../src/tools/browser/browser.js';
import { editor } from '../../../src/tools/index.js';
import { search } from '../../../src/tools/search/search.js';
import { terminal } from '../../../src/tools/terminal/node.js';

const role = 'Zero';

const library = [
  new RoleZero({
    tools: [
      ...editor(),
      ...terminal(),
      ...browser(),
      ...search({ engine: () => Promise.resolve([]) }),
      subagents(),
    ],
    notes: notes(),
  }),
  new TeamLeader(),
  new ThinkingRole(),
].flatMap(({ registry }) => registry.tools);

/** The activity while a tool runs. */
function activityWhile(tool: Pick<Tool, 'name' | 'activity'>, args: Record<string, JsonValue> = {}) {
  const { name } = tool;
  return activityOf({
    type: 'command-start',
    role,
    callId: 'c',
    name,
    args,
    activity: commandActivity(tool, args),
  });
}

/** The activities of a run, without repetitions. */
function activities(events: readonly AgentEvent[]): (string | null)[] {
  const seen: (string | null)[] = [];
  let activity: string | null = null;
  for (const event of events) {
    activity = activityOf(event, activity);
    if (seen.at(-1) !== activity) seen.push(activity);
  }
  return seen;
}

describe('the activity of an agent', () => {
  it.each<[string, Record<string, JsonValue>, string]>([
    ['Editor.write', { path: '/index.html', content: 'secret' }, 'Writing /index.html'],
    ['Editor.search_dir', { search_term: 'TODO' }, 'Searching the files for TODO'],
    ['Editor.undo_edit', {}, 'Undoing a change'],
    ['Terminal.run_command', { cmd: 'ls \n\n -l' }, 'Running ls -l'],
    ['Browser.goto', { url: '/shop/' }, 'Opening /shop/'],
    ['Browser.type', { content: 'my password' }, 'Typing on the page'],
    ['SearchEnhancedQA.run', { query: 'tea' }, 'Searching the web for tea'],
    ['Plan.append_task', { instruction: 'Write the page' }, 'Adding to the plan: Write the page'],
    ['TeamLeader.publish_team_message', { send_to: ['Alex', 'Rita'] }, 'Writing to Alex, Rita'],
    ['Editor.write', { path: 7 }, 'Writing'],
    ['Terminal.run_command', { cmd: `echo ${'👍'.repeat(200)}` }, `Running echo ${'👍'.repeat(37)}…`],
  ])('is described for %s %j', (name, args, words) => {
    const tool = library.find((each) => each.name === name);
    expect(tool && activityWhile(tool, args)).toBe(words);
  });

  it.each([
    ['Money.convert_currency', 'Using Money: convert currency'],
    ['GitHub.listOpenIssues', 'Using GitHub: list open issues'],
    ['look-up', 'Using look up'],
    ['constructor', 'Using constructor'],
    [`Long.${'a'.repeat(200)}`, `Using Long: ${'a'.repeat(67)}…`],
  ])('is made from the name %s without words of the tool', (name, words) => {
    expect(activityWhile({ name }, { amount: 1 })).toBe(words);
  });

  it('is words, not the name of the command, for each tool of the library', () => {
    expect(library.length).toBeGreaterThan(50);
    expect(library.filter((tool) => /[._]/.test(activityWhile(tool) ?? tool.name))).toEqual([]);
  });

  it('shows the argument of a tool of the application, also when the model uses another name for it', async () => {
    const convert = defineTool<{ currency: string }>({
      name: 'Money.convert',
      description: 'Converts an amount.',
      activity: { verb: 'Converting to', argument: 'currency' },
      input: { type: 'object', properties: { currency: { type: 'string' } }, required: ['currency'] },
      aliases: { target: 'currency' },
      run: () => 7,
    });
    const model = scriptedModel({
      think: [commands(['Money.convert', { target: 'EUR' }]), commands(['end', {}])],
    });
    const { events } = await runRole(new RoleZero({ name: role, model, tools: [convert] }), 'Convert it');
    expect(activities(events)).toContain('Converting to EUR');
    expect(activityWhile(convert, { currency: '' })).toBe('Converting');
  });

  it.each([
    [{ verb: 'Converting', argument: 'money' }, 'names the argument "money", which does not exist'],
    [
      { verb: ' ' },
      "has as `activity` an object with the keys verb. Write { verb: 'Writing', argument: 'path' }",
    ],
    ['Converting', 'has as `activity` "Converting". Write'],
  ])('is rejected as %j', (activity, why) => {
    const declare = () =>
      new RoleZero({
        tools: [
          defineTool({
            name: 'Money.convert',
            description: 'Converts an amount.',
            activity: activity as never,
            input: {
              type: 'object',
              properties: { currency: { type: 'string' } },
              additionalProperties: false,
            },
            run: () => 7,
          }),
        ],
      });
    expect(declare).toThrow(why);
  });

  it('follows a run from its start to its end', async () => {
    const model = scriptedModel({
      think: [
        commands(
          ['Editor.write', { path: '/a.txt', content: 'a' }],
          ['RoleZero.ask_human', { question: 'Ok?' }],
        ),
        commands(['end', {}]),
      ],
    });
    const zero = new RoleZero({ name: role, model, tools: [...editor()] });
    const { events } = await runRole(zero, 'Build it', { answers: ['yes'] });
    const all: AgentEvent[] = [
      { type: 'run-start', runId: 'r', request: 'Build it', resumed: false },
      { type: 'model-progress', phase: 'loading', loaded: 1, total: 3, text: '' },
      ...events.filter(({ type }) => type !== 'run-start' && type !== 'run-end'),
      { type: 'run-end', runId: 'r', status: 'done', summary: '', error: null },
    ];
    expect(activities(all)).toEqual([
      'Starting',
      'Loading the model, 33 %',
      'Thinking',
      'Writing /a.txt',
      'Asking you',
      'Waiting for your answer',
      'Working',
      'Thinking',
      'Finishing',
      null,
    ]);
  });

  it('remains a waiting question when the run ends', () => {
    const question = { id: 'q', role, kind: 'approval' as const, text: 'May it?' };
    const end: AgentEvent = { type: 'run-end', runId: 'r', status: 'waiting', summary: '', error: null };
    expect(activities([{ type: 'approval-request', question }, end])).toEqual(['Waiting for your approval']);
  });

  it('returns to thinking after a loaded model replies', () => {
    const loading: AgentEvent = { type: 'model-progress', phase: 'loading', loaded: 0, total: 0, text: '' };
    const speaks: AgentEvent = { type: 'reply-delta', role, purpose: 'think', text: 'I' };
    expect(activities([loading, speaks])).toEqual(['Loading the model', 'Thinking']);
  });
});
