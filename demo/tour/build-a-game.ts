import { GAME_JS, INDEX_HTML, PALETTES, STYLE_CSS } from './game.js';
import { end, finishTask, reply, say, task, write, type Scene, type Tour } from './tour.js';

type Palette = keyof typeof PALETTES;

/** The question of the recorded run, and what can be answered with one click. */
const QUESTION = 'Which colours would you like the game to have?';
const CHOICES = Object.keys(PALETTES) as Palette[];

const SCENE: Scene = {
  replies: [
    reply(
      'A 2048 game needs a page, its look and its rules. I plan three tasks and tell the person how I go about it.',
      task('1', [], 'Write the page and its look: board, score, a button for a new game'),
      task('2', ['1'], 'Write the rules, and try them in the browser'),
      task('3', ['1'], 'Ask which colours are liked, and use them'),
      say(
        'I will build it as one page with a style sheet and a script, no libraries. You can watch the files grow.',
      ),
    ),
    reply(
      'Task 1 comes first. The board is a grid of 16 tiles that the script fills in; the colours are variables, so that they are easy to change.',
      write('/index.html', INDEX_HTML),
      write('/style.css', STYLE_CSS),
    ),
    reply(
      'Page and style sheet are written, so task 1 is done. Now the rules. All four directions are one and the same slide along a lane of four cells.',
      finishTask,
      write('/game.js', GAME_JS),
    ),
    reply(
      'The rules stand. Whether they work I see by playing: I open the page and press a few arrow keys.',
      ['Browser.goto', { url: '/index.html' }],
    ),
    reply(
      'The board shows two tiles. I move them.',
      ['Browser.press', { key_comb: 'ArrowLeft' }],
      ['Browser.press', { key_comb: 'ArrowUp' }],
      ['Browser.press', { key_comb: 'ArrowRight' }],
    ),
    reply(
      'The tiles slide, and new ones appear: task 2 is done. Colours are a matter of taste, and I should not guess: I ask.',
      finishTask,
      ['RoleZero.ask_human', { question: QUESTION, options: CHOICES }],
    ),
    (answer) =>
      reply(
        `${chosen(answer).why} I look up the lines of the style sheet that hold the colours, to replace exactly these.`,
        ['Editor.read', { path: '/style.css' }],
      ),
    (answer) => {
      const { palette } = chosen(answer);
      const [first, last] = ['  --page: #f3f3f5;', '  --hue: 230;'];
      return reply(
        `The colours are the lines ${lineOf(first)} to ${lineOf(last)}. I replace them by ${palette} and look at the page again.`,
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
        'The page shows the new colours. Every task is done; I tell the person and end.',
        finishTask,
        say(
          `Your **2048** is ready, in *${chosen(answer).palette}* colours:\n\n` +
            '- `/index.html`: the page; play it in the preview\n' +
            '- `/style.css`: the look\n' +
            '- `/game.js`: the rules, for arrow keys and swipes',
        ),
        end,
      ),
  ],
  summary:
    'A playable 2048 game: /index.html (the page), /style.css (its look, in the colours chosen), /game.js (the rules, keyboard and touch).',
};

export const buildAGame: Tour = {
  requests: ['Build a small 2048 game'],
  answers: { [QUESTION]: 'Forest' },
  looks: ['plan', 'files', 'files', 'preview', 'preview', 'plan', 'files', 'files', 'preview'],
  roles: { Zero: [SCENE] },
};

/** The palette an answer names; a recording knows no others, and reports it. */
function chosen(answer: string): { palette: Palette; why: string } {
  const named = CHOICES.find((palette) => answer.toLowerCase().includes(palette.toLowerCase()));
  return named === undefined
    ? { palette: 'Ocean', why: 'These replies are recorded and only know three palettes, so I take Ocean.' }
    : { palette: named, why: `${named} it is.` };
}

/** The number of a line of the style sheet, counted from 1. */
function lineOf(line: string): number {
  return STYLE_CSS.split('\n').indexOf(line) + 1;
}
