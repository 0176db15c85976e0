import { commands } from '../../src/testing/scripted-model.js';
import { reply, type Reply } from '../fault-server/replies.js';

/**
 * A model server for the main job: a request becomes a plan, files are written and edited, the user is asked and
 * answers, and the run ends. Replies follow from the conversation alone, so an interrupted run gets the same replies
 * again.
 */
export const MAIN_JOB_STEPS: readonly string[] = [
  commands(
    [
      'Plan.append_task',
      { task_id: '1', dependent_task_ids: [], instruction: 'Write the page', assignee: 'Zero' },
    ],
    [
      'Plan.append_task',
      { task_id: '2', dependent_task_ids: ['1'], instruction: 'Colour it', assignee: 'Zero' },
    ],
  ),
  commands(
    ['Editor.write', { path: '/site/index.html', content: '<h1>Bakery</h1>\n<p>Fresh bread.</p>\n' }],
    ['Editor.create_file', { path: '/site/log.txt', content: 'made the page\n' }],
    ['Plan.finish_current_task', {}],
  ),
  commands(['RoleZero.ask_human', { question: 'Which color?', options: ['red', 'blue'] }]),
  commands([
    'Editor.edit_file_by_replace',
    {
      path: '/site/index.html',
      first_replaced_line_number: 1,
      first_replaced_line_content: '<h1>Bakery</h1>',
      last_replaced_line_number: 1,
      last_replaced_line_content: '<h1>Bakery</h1>',
      new_content: '<h1 style="color: blue">Bakery</h1>',
    },
  ]),
  commands(
    ['Editor.append_file', { path: '/site/log.txt', content: 'coloured the title' }],
    ['Plan.finish_current_task', {}],
  ),
  commands(
    ['RoleZero.reply_to_human', { content: 'Your bakery has a page: /site/index.html.' }],
    ['end', {}],
  ),
];

export const MAIN_JOB_REQUEST = 'Build a page for my bakery';
export const MAIN_JOB_FILES = {
  '/site/index.html': '<h1 style="color: blue">Bakery</h1>\n<p>Fresh bread.</p>\n',
  '/site/log.txt': 'made the page\ncoloured the title\n',
};
export const MAIN_JOB_SUMMARY = 'Your bakery has a page: /site/index.html.';

/** The reply to a chat completions request. */
export function mainJobReply(request: { body: unknown }, steps = MAIN_JOB_STEPS): Reply {
  const { messages } = request.body as { messages: { role: string; content: string }[] };
  const taken = messages.filter(
    ({ role, content }) => role === 'assistant' && steps.includes(content),
  ).length;
  const text = steps[taken] ?? 'I do not know how to go on.';
  const middle = Math.floor(text.length / 2);
  return reply(text.slice(0, middle), text.slice(middle));
}
