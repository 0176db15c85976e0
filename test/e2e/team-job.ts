import { commands } from '../../src/testing/scripted-model.js';
import { reply, type Reply } from '../fault-server/replies.js';

/**
 * Models of a team in one server: the leader (Mike) has a page written by the engineer (Alex) and reviewed by the
 * reviewer (Rita). The requested model is the name of the role; its replies follow from the conversation alone.
 */
const STEPS: Record<string, string[]> = {
  Mike: [
    commands(
      [
        'Plan.append_task',
        { task_id: '1', dependent_task_ids: [], instruction: 'Write it', assignee: 'Alex' },
      ],
      [
        'Plan.append_task',
        { task_id: '2', dependent_task_ids: ['1'], instruction: 'Review it', assignee: 'Rita' },
      ],
      ['TeamLeader.publish_team_message', { content: 'Write /index.html for a bakery.', send_to: 'Alex' }],
      ['RoleZero.reply_to_human', { content: 'Alex writes the page, Rita reviews it.' }],
    ),
    commands(
      ['Plan.finish_current_task', {}],
      ['TeamLeader.publish_team_message', { content: 'Review /index.html.', send_to: 'Rita' }],
    ),
    commands(
      ['Plan.finish_current_task', {}],
      ['RoleZero.reply_to_human', { content: 'Your bakery has a page: /index.html.' }],
      ['end', {}],
    ),
  ],
  Alex: [
    commands(['Engineer.write_new_code', { path: '/index.html', file_description: 'A page for a bakery.' }]),
    commands(['RoleZero.reply_to_human', { content: 'The page is written.' }], ['end', {}]),
  ],
  Rita: [
    commands(['Editor.read', { path: '/index.html' }]),
    commands(['RoleZero.reply_to_human', { content: 'The page is fine.' }], ['end', {}]),
  ],
};

export const TEAM_REQUEST = 'A page for my bakery';
export const TEAM_FILES = { '/index.html': '<h1>Bakery</h1>\n' };

/** The reply to a chat completions request. */
export function teamReply(request: { body: unknown }): Reply {
  const { model, messages } = request.body as {
    model: string;
    messages: { role: string; content: string }[];
  };
  const steps = STEPS[model] ?? [];
  const answers = messages.filter(
    ({ role, content }) => role === 'assistant' && steps.includes(content),
  ).length;
  const text = answer(messages.at(-1)?.content ?? '', steps[answers] ?? 'I do not know how to go on.');
  const middle = Math.floor(text.length / 2);
  return reply(text.slice(0, middle), text.slice(middle));
}

function answer(last: string, step: string): string {
  if (last.includes('Sum up in')) return 'It is done.';
  if (last.includes('Now write the file')) return '```html\n<h1>Bakery</h1>\n```';
  return step;
}
