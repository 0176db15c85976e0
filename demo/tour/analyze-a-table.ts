import { PLOT_JS, RIGHT_CELLS, SALES_CSV, TABLE_JS, TABLE_TEST_JS, WRONG_CELLS } from './sales.js';
import { end, finishTask, reply, say, task, write, type Command, type Tour } from './tour.js';

const run = (cmd: string): Command => ['Terminal.run_command', { cmd }];

/** A table is read by a program, tests find a mistake in it, and the result is a plot. */
export const analyzeATable: Tour = {
  requests: ['Which region sold most in /sales.csv? Show me a plot of the six months.'],
  files: { '/sales.csv': SALES_CSV },
  looks: ['terminal', 'files', 'terminal', 'files', 'terminal', 'files', 'preview', 'preview'],
  roles: {
    Zero: [
      {
        replies: [
          reply(
            'I look at the table before I write a program for it.',
            task('1', [], 'Read the table with a program, and test it'),
            task('2', ['1'], 'Add up the regions, and draw the plot'),
            run('head -n 5 /sales.csv; wc -l /sales.csv'),
          ),
          reply(
            'Three columns, one row for each month and region. The reading goes into a module of its own, so that tests can check it.',
            write('/table.js', TABLE_JS),
            write('/table.test.js', TABLE_TEST_JS),
          ),
          reply('I run the tests before I trust any total.', run('node --test /table.test.js')),
          reply(
            'The first test fails: amounts such as "1,210" are in quotes and have a comma, and my program cuts them in two. Quoted cells must stay whole.',
            ['Editor.replace_text', { path: '/table.js', old: WRONG_CELLS, new: RIGHT_CELLS }],
          ),
          reply('The same tests again.', run('node --test /table.test.js')),
          reply(
            'Both tests pass, so task 1 is done. Now the plot: one line for each region.',
            finishTask,
            write('/plot.js', PLOT_JS),
            run('node /plot.js'),
          ),
          reply('The totals are printed, and the plot is written. I look at it as the user will see it.', [
            'Browser.goto',
            { url: '/sales.svg' },
          ]),
          reply(
            'Three lines, named at their ends. Done.',
            finishTask,
            say(
              '**North** sold most: **12,165**, before South with 9,320 and West with 7,225. All three grow, and South grows fastest: by 59 % from January to June.\n\n' +
                'The plot is `/sales.svg`. Three amounts in the table have a comma in quotes, which `/table.js` reads correctly; `/table.test.js` checks that.',
            ),
            end,
          ),
        ],
      },
    ],
  },
};
