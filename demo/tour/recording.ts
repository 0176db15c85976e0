import { GAME_JS, INDEX_HTML, PALETTES, STYLE_CSS } from './game.js';

/** What the person asks for in the recorded run. */
export const TOUR_REQUEST = 'Build a small 2048 game';

type Palette = keyof typeof PALETTES;
type Command = readonly [name: string, args: Record<string, unknown>];

/** The question of the recorded run, and what can be answered with one click. */
const QUESTION = 'Which colours would you like the game to have?';
const CHOICES = Object.keys(PALETTES) as Palette[];

/** Classification and language, as models answer them. */
export const CATEGORY = 'Thought: A game is to be built, which takes several files.\nResponse Category: TASK';
export const LANGUAGE = 'English';
export const SUMMARY =
  'A playable 2048 game: /index.html (the page), /style.css (its look, in the colours chosen), /game.js (the rules, keyboard and touch).';

/** One recorded reply; some depend on what the person answered. */
type Recorded = string | ((answer: string) => string);

/** The recorded replies of the loop, in the order in which they were given. */
const REPLIES: readonly Recorded[] = [
  reply(
    'A 2048 game needs a page, its look and its rules. I plan three tasks and tell the person how I go about it.',
    task('1', [], 'Write the page and its look: board, score, a button for a new game'),
    task('2', ['1'], 'Write the rules: slide, join, score, the end of the game, keyboard and touch'),
    task('3', ['1'], 'Ask which colours are liked, and use them'),
    say(
      'I will build it as one page with a style sheet and a script, no libraries. You can watch the files grow.',
    ),
  ),
  reply(
    'Task 1 comes first. The board is a grid of 16 tiles that the script fills in; the colours are variables, so that they are easy to change.',
    ['Editor.write', { path: '/index.html', content: INDEX_HTML }],
    ['Editor.write', { path: '/style.css', content: STYLE_CSS }],
  ),
  reply(
    'Page and style sheet are written, so task 1 is done. Now the rules. All four directions are one and the same slide along a lane of four cells.',
    ['Plan.finish_current_task', {}],
    ['Editor.write', { path: '/game.js', content: GAME_JS }],
  ),
  reply(
    'The rules stand, so task 2 is done. Colours are a matter of taste, and I should not guess: I ask.',
    ['Plan.finish_current_task', {}],
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
      `The colours are the lines ${lineOf(first)} to ${lineOf(last)}. I replace them by ${palette}.`,
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
    );
  },
  (answer) =>
    reply(
      'The style sheet shows the new colours. Every task is done; I tell the person and end.',
      ['Plan.finish_current_task', {}],
      say(
        `Your **2048** is ready, in *${chosen(answer).palette}* colours:\n\n` +
          '- `/index.html`: the page; open its preview to play\n' +
          '- `/style.css`: the look\n' +
          '- `/game.js`: the rules, for arrow keys and swipes',
      ),
      ['end', {}],
    ),
];

/** The recorded replies as they were for a person who gave this answer (or none yet). */
export function recordedReplies(answer: string): string[] {
  return REPLIES.map((recorded) => (typeof recorded === 'string' ? recorded : recorded(answer)));
}

/** The palette an answer names; a recording knows no others, and says so. */
function chosen(answer: string): { palette: Palette; why: string } {
  const named = CHOICES.find((palette) => answer.toLowerCase().includes(palette.toLowerCase()));
  return named === undefined
    ? { palette: 'Ocean', why: 'These replies are recorded and only know three palettes, so I take Ocean.' }
    : { palette: named, why: `${named} it is.` };
}

function task(id: string, after: string[], instruction: string): Command {
  return ['Plan.append_task', { task_id: id, dependent_task_ids: after, instruction, assignee: 'Zero' }];
}

function say(content: string): Command {
  return ['RoleZero.reply_to_human', { content }];
}

function reply(thought: string, ...commands: readonly Command[]): string {
  const list = commands.map(([name, args]) => ({ command_name: name, args }));
  return `${thought}\n\n\`\`\`json\n${JSON.stringify(list, null, 2)}\n\`\`\``;
}

/** The number of a line of the style sheet, counted from 1. */
function lineOf(line: string): number {
  return STYLE_CSS.split('\n').indexOf(line) + 1;
}
