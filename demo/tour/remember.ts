import { end, reply, say, write, type Tour } from './tour.js';

const MENU = `# Kumo · teas

| tea | cup |
| --- | ---: |
| Sencha, bright and grassy | 4.50 € |
| Hojicha, roasted and mild | 4.50 € |
| Matcha, whisked to order | 6.50 € |
`;

const POSTER = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Kumo</title>
    <style>
      body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #12372a; color: #fbf6e6; font: 20px/1.5 Georgia, serif; }
      main { padding: 3rem; text-align: center; }
      h1 { margin: 0; font-size: 5rem; font-weight: 400; letter-spacing: 0.18em; text-indent: 0.18em; }
      p { margin: 0.6rem 0 0; }
      .price { display: inline-block; margin-top: 2rem; padding: 0.5rem 1.4rem; border: 1px solid #fbf6e6; border-radius: 2rem; }
    </style>
  </head>
  <body>
    <main>
      <h1>Kumo</h1>
      <p>Tea under the clouds</p>
      <p class="price">A bowl of matcha, 6.50 €</p>
    </main>
  </body>
</html>
`;

export const remember: Tour = {
  requests: [
    'Remember this: my tea shop is called Kumo, its colors are deep green and cream, and all prices end in .50.',
    'Write the menu of the tea shop into /menu.md, with three teas.',
    'Make a poster for the tea shop as one page, in its colors.',
  ],
  looks: ['files', 'files', 'memory', 'memory', 'preview'],
  memoryWindow: 3,
  roles: {
    Zero: [
      {
        replies: [
          reply(
            'Name, colors and the format of prices: facts to remember. There is nothing to build yet.',
            say('I will remember it: **Kumo**, deep green and cream, prices that end in .50.'),
            end,
          ),
        ],
      },
      {
        replies: [
          reply(
            'The shop is Kumo, and all prices end in .50. Three teas are enough.',
            write('/menu.md', MENU),
          ),
          reply('The menu is written.', say('The menu is in `/menu.md`; every price ends in .50.'), end),
        ],
      },
      {
        replies: [
          reply(
            'The name and the colors of the shop are among my recalled memories: Kumo, deep green and cream.',
            write('/poster.html', POSTER),
            ['Browser.goto', { url: '/poster.html' }],
          ),
          reply(
            'The poster looks as it should.',
            say(
              'The poster is `/poster.html`: deep green, cream, and a price in .50. All three facts are from your first request.',
            ),
            end,
          ),
        ],
      },
    ],
  },
};
