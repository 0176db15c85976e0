import { end, finishTask, reply, say, task, write, type Command, type Tour } from './tour.js';

const PATH = '/index.html';
const HOURS = '      <p class="hours">Tuesday to Sunday, 7 to 13</p>';
const BREADS = '      <p>Sourdough, rye, and on Fridays poppy-seed plaits.</p>';
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Bakery Lindner</title>
    <style>
      body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #fbf3e7; color: #4a3421; font: 19px/1.6 Georgia, serif; }
      main { max-width: 30rem; padding: 2rem; text-align: center; }
      h1 { margin: 0 0 0.5rem; font-size: 2.6rem; font-weight: 400; }
      .hours { display: inline-block; padding: 0.3rem 1.2rem; border: 1px solid #b98b5a; border-radius: 2rem; }
    </style>
  </head>
  <body>
    <main>
      <h1>Bakery Lindner</h1>
${BREADS}
    </main>
  </body>
</html>
`;

const tell = (send_to: string, content: string): Command => [
  'TeamLeader.publish_team_message',
  { content, send_to },
];

/** The leader divides the task, the engineer builds, and the reviewer checks the page before the user sees it. */
export const workAsATeam: Tour = {
  requests: ['A page for my bakery Lindner, open Tuesday to Sunday from 7 to 13. Review it before I see it.'],
  looks: ['team', 'files', 'team', 'team', 'preview', 'team', 'team', 'files', 'team', 'preview'],
  roles: {
    Mike: [
      {
        replies: [
          reply(
            'One page is small: Alex builds it, and Rita reviews it, as requested.',
            task('1', [], 'Build the page of the bakery', 'Alex'),
            task('2', ['1'], 'Review the page', 'Rita'),
            task('3', ['2'], 'Fix the problems found in the review', 'Alex'),
            say('Alex builds the page, Rita reviews it, and then you see it.'),
            tell(
              'Alex',
              'Build /index.html for the bakery Lindner: name, what it bakes (sourdough, rye, poppy-seed plaits on Fridays), warm colors, one file. Open Tuesday to Sunday from 7 to 13.',
            ),
          ),
          reply(
            'The page is there. Now Rita.',
            finishTask,
            tell(
              'Rita',
              'Review /index.html for the bakery Lindner. It must name the bakery and its opening hours, Tuesday to Sunday from 7 to 13.',
            ),
          ),
          reply(
            'The hours are missing: a good catch. Back to Alex with it.',
            finishTask,
            tell(
              'Alex',
              'Rita found that /index.html lacks the opening hours. Add them below the breads: Tuesday to Sunday, 7 to 13.',
            ),
          ),
          reply(
            'All three tasks are done. I report to the user.',
            finishTask,
            say(
              'The page of your bakery is ready: `/index.html`.\n\nAlex built it; Rita saw that the opening hours were missing, and Alex added them.',
            ),
            end,
          ),
        ],
      },
    ],
    Alex: [
      {
        replies: [
          reply('One file, warm colors, nothing to load.', write(PATH, PAGE)),
          reply(
            'The page is written.',
            say('The page of the bakery is written: /index.html, one file with its style.'),
            end,
          ),
          reply('The hours go below the breads, in a separate frame.', [
            'Editor.replace_text',
            { path: PATH, old: BREADS, new: `${BREADS}\n${HOURS}` },
          ]),
          reply('Added.', say('The opening hours are on the page now.'), end),
        ],
      },
    ],
    Rita: [
      {
        replies: [
          reply('I look at the page as a visitor would.', ['Browser.goto', { url: PATH }]),
          reply(
            'Name and breads are there. The opening hours are not.',
            say(
              'The page names the bakery and reads well. The opening hours, Tuesday to Sunday from 7 to 13, are missing.',
            ),
            end,
          ),
        ],
      },
    ],
  },
};
