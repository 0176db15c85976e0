import { commands } from '../../../src/testing/scripted-model.js';

/** Replies of the leader's model in order; every file it writes contains the number of its step. */
const PADDING =
  'Words of some length that fill the window of a small model, so that it must be made room. '.repeat(4);
const file = (step: number): string => `/step${step}.txt`;

function work(step: number): string {
  switch (step % 5) {
    case 0:
      return commands(['Editor.write', { path: file(step), content: `step ${step}\n${PADDING}\n` }]);
    case 1:
      return commands(
        ['Editor.append_file', { path: '/log.txt', content: `step${step}` }],
        ['Terminal.run_command', { cmd: `wc -l < /log.txt >> /count.txt; echo step${step}` }],
      );
    case 2:
      return commands(['Mail.send', { to: `step${step}` }], ['Editor.read', { path: '/log.txt' }]);
    case 3:
      return commands(
        ['Editor.create_file', { path: file(step), content: 'made\n' }],
        ['Editor.append_file', { path: file(step), content: `of step${step}` }],
      );
    default:
      return commands(['Till.pay', { what: `step${step}` }]);
  }
}

const SPECIAL: Record<number, string> = {
  0: commands(
    [
      'Plan.append_task',
      { task_id: '1', dependent_task_ids: [], instruction: 'first half', assignee: 'Mike' },
    ],
    [
      'Plan.append_task',
      { task_id: '2', dependent_task_ids: ['1'], instruction: 'second half', assignee: 'Mike' },
    ],
    ['Editor.create_file', { path: '/log.txt', content: 'begun\n' }],
    ['Editor.create_file', { path: file(0), content: 'begun\n' }],
  ),
  12: commands(['RoleZero.ask_human', { question: 'Which color?' }]),
  20: commands(['TeamLeader.publish_team_message', { content: 'Write a page, please.', send_to: 'Alex' }]),
  25: commands(['Plan.finish_current_task', {}], ['Editor.create_file', { path: file(25), content: 'half' }]),
  // The only look at a page: after a kill, every later one would report that the browser was restarted.
  30: commands(
    ['Editor.write', { path: '/step30.html', content: '<h1>Thirty</h1><button>Go on</button>' }],
    ['Browser.goto', { url: '/step30.html' }],
  ),
  49: commands(
    ['Plan.finish_current_task', {}],
    ['RoleZero.reply_to_human', { content: 'All of it is done.' }],
    ['end', {}],
  ),
};

export const STEPS = Array.from({ length: 50 }, (_, step) => SPECIAL[step] ?? work(step));

/** Replies of the engineer's model. The report to the leader is the last of them, which names the step. */
export const ALEX = [
  commands(['Editor.write', { path: '/step20.html', content: '<h1>A page</h1>' }]),
  commands(['RoleZero.reply_to_human', { content: 'The page of step20 is there.' }], ['end', {}]),
];

export const REQUEST = 'Fifty steps, please';
/** Answers with the number of the calling step, so that the next one follows. */
export const ANSWER = 'blue, as of step12';
