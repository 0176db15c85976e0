import { commands } from 'rolezero/testing';

const PAGE = `<!doctype html>
<meta charset="utf-8" />
<title>Clicks</title>
<style>
  body { display: grid; place-content: center; min-height: 90vh; font: 1.5rem system-ui; }
  button { padding: 0.5em 1em; font: inherit; }
</style>
<button id="more">Clicked 0 times</button>
<script>
  let count = 0;
  more.onclick = () => (more.textContent = 'Clicked ' + ++count + ' times');
</script>
`;

const end = ['end', {}];
const say = (content) => ['RoleZero.reply_to_human', { content }];

/**
 * What the examples ask for, and the recorded replies of a model to it.
 *
 * @type {Record<string, { request: string, replies: string[] }>}
 */
export const EXAMPLES = {
  page: {
    request: 'Make a page with a button that counts its clicks.',
    replies: [
      commands(
        [
          'Plan.append_task',
          { task_id: '1', dependent_task_ids: [], instruction: 'Write the page.', assignee: 'Zero' },
        ],
        ['Editor.write', { path: '/index.html', content: PAGE }],
      ),
      commands(
        ['Plan.finish_current_task', {}],
        say('The page is in **/index.html**. The preview shows it.'),
        end,
      ),
    ],
  },
  question: {
    request: 'Write a greeting in the language that I choose.',
    replies: [
      commands([
        'RoleZero.ask_human',
        { question: 'Which language?', options: ['English', 'French', 'German'] },
      ]),
      commands(
        ['Editor.write', { path: '/greeting.txt', content: 'Hello! Bonjour! Hallo!\n' }],
        say('Your answer was part of my next prompt. A model would use it; this recording wrote all three.'),
        end,
      ),
    ],
  },
  repair: {
    request: 'Write numbers.txt with the numbers from 1 to 5, each on its own line. Then replace 3 by three.',
    replies: [
      commands(
        ['Editor.write', { path: '/numbers.txt', content: '1\n2\n3\n4\n5\n' }],
        ['Editor.replace_text', { path: '/numbers.txt', old: '33', new: 'three' }],
      ),
      commands(
        ['Editor.replace_text', { path: '/numbers.txt', old: '3', new: 'three' }],
        say(
          'The first replacement failed, because 33 is not in the file. The error reported it, and the second one worked.',
        ),
        end,
      ),
    ],
  },
};
