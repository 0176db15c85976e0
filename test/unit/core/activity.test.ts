import { describe, expect, it } from 'vitest';
import { activityOf } from '../../../src/core/activity.js';
import type { AgentEvent } from '../../../src/core/events.js';
import type { JsonValue } from '../../../src/core/json.js';
import { TeamLeader } from '../../../src/team/team-leader.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { ThinkingRole } from '../../../src/metagpt/thinking-role.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { browser } from '../../../src/tools/browser/browser.js';
import { editor } from '../../../src/tools/index.js';
import { search } from '../../../src/tools/search/search.js';
import { terminal } from '../../../src/tools/terminal/node.js';

const role = 'Zero';
const command = (name: string, args: Record<string, JsonValue> = {}): AgentEvent => ({
  type: 'command-start',
  role,
  callId: 'c',
  name,
  args,
});

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
    ['Money.convert', { amount: 1 }, 'Using Money.convert'],
    ['constructor', {}, 'Using constructor'],
    ['Terminal.run_command', { cmd: `echo ${'👍'.repeat(200)}` }, `Running echo ${'👍'.repeat(37)}…`],
  ])('is described for %s %j', (name, args, words) => {
    expect(activityOf(command(name, args))).toBe(words);
  });

  it('has text for every command of the library', () => {
    const tools = [
      ...editor(),
      ...terminal(),
      ...browser(),
      ...search({ engine: () => Promise.resolve([]) }),
    ];
    const roles = [new RoleZero({ tools }), new TeamLeader(), new ThinkingRole()];
    const names = new Set(roles.flatMap(({ registry }) => registry.tools.map(({ name }) => name)));
    expect(names.size).toBeGreaterThan(45);
    expect([...names].filter((name) => activityOf(command(name))?.startsWith('Using'))).toEqual([]);
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
      { type: 'model-progress', loaded: 1, total: 3, text: '' },
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
    const loading: AgentEvent = { type: 'model-progress', loaded: 0, total: 0, text: '' };
    const speaks: AgentEvent = { type: 'reply-delta', role, purpose: 'think', text: 'I' };
    expect(activities([loading, speaks])).toEqual(['Loading the model', 'Thinking']);
  });
});
