import { GAME_JS, INDEX_HTML, PALETTES, STYLE_CSS } from './game.js';
import { end, finishTask, reply, say, task, write, type Scene, type Tour } from './tour.js';

type Palette = keyof typeof PALETTES;

/** The question of the recorded run and its options. */
const QUESTION = 'Which colors would you like the game to have?';
const CHOICES = Object.keys(PALETTES) as Palette[];

const SCENE: Scene = {
  replies: [
    reply(
      'A 2048 game needs a page, styles and rules. I plan three tasks and tell the user how I will proceed.',
      task('1', [], 'Write the page and its styles: board, score, a button for a new game'),
      task('2', ['1'], 'Write the rules, and try them in the browser'),
      task('3', ['1'], 'Ask for the preferred colors, and use them'),
      say(
        'I will build it as one page with a style sheet and a script, no libraries. You can watch the files grow.',
      ),
    ),
    reply(
      'Task 1 comes first. The board is a grid of 16 tiles that the script fills in; the colors are variables, so that they are easy to change.',
      write('/index.html', INDEX_HTML),
      write('/style.css', STYLE_CSS),
    ),
    reply(
      'Page and style sheet are written, so task 1 is done. Now the rules. All four directions are one and the same slide along a lane of four cells.',
      finishTask,
      write('/game.js', GAME_JS),
    ),
    reply('The rules are written. To test them, I open the page and press a few arrow keys.', [
      'Browser.goto',
      { url: '/index.html' },
    ]),
    reply(
      'The board shows two tiles. I move them.',
      ['Browser.press', { key_comb: 'ArrowLeft' }],
      ['Browser.press', { key_comb: 'ArrowUp' }],
      ['Browser.press', { key_comb: 'ArrowRight' }],
    ),
    reply(
      'The tiles slide, and new ones appear: task 2 is done. Colors are a matter of taste, so I ask instead of guessing.',
      finishTask,
      ['RoleZero.ask_human', { question: QUESTION, options: CHOICES }],
    ),
    (answer) =>
      reply(
        `${chosen(answer).why} I look up the lines of the style sheet with the colors, to replace exactly these.`,
        ['Editor.read', { path: '/style.css' }],
      ),
    (answer) => {
      const { palette } = chosen(answer);
      const [first, last] = ['  --page: #f3f3f5;', '  --hue: 230;'];
      return reply(
        `The colors are the lines ${lineOf(first)} to ${lineOf(last)}. I replace them by ${palette} and look at the page again.`,
        [
          'Editor.edit_file_by_replace',
          {
            path: '/style.css',
            first_replaced_line_number: lineOf(first),
            first_replaced_line_content: first,
            last_replaced_line_number: lineOf(last),
            last_replaced_line_content: last,
            new_content: PALETTES[palette].join('\n'),
          },
        ],
        ['Browser.goto', { url: '/index.html' }],
      );
    },
    (answer) =>
      reply(
        'The page shows the new colors. All tasks are done; I report to the user and end.',
        finishTask,
        say(
          `Your **2048** is ready, in *${chosen(answer).palette}* colors:\n\n` +
            '- `/index.html`: the page; play it in the preview\n' +
            '- `/style.css`: the look\n' +
            '- `/game.js`: the rules, for arrow keys and swipes',
        ),
        end,
      ),
  ],
};

export const buildAGame: Tour = {
  requests: ['Build a small 2048 game'],
  answers: { [QUESTION]: 'Forest' },
  looks: ['files', 'files', 'files', 'preview', 'preview', 'preview', 'files', 'files', 'preview'],
  roles: { Zero: [SCENE] },
};

/** The palette that an answer names. A recording knows no others, and says so. */
function chosen(answer: string): { palette: Palette; why: string } {
  const named = CHOICES.find((palette) => answer.toLowerCase().includes(palette.toLowerCase()));
  return named === undefined
    ? { palette: 'Ocean', why: 'These replies are recorded and know only three palettes, so I use Ocean.' }
    : { palette: named, why: `${named} it is.` };
}

/** The number of a line of the style sheet, counted from 1. */
function lineOf(line: string): number {
  return STYLE_CSS.split('\n').indexOf(line) + 1;
}
