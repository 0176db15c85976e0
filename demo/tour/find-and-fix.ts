import { end, finishTask, reply, say, task, type Tour } from './tour.js';

const CART_JS = `// What a basket comes to, in cents.
const basket = [
  { name: 'Sencha', price: 1200, count: 2 },
  { name: 'Tea bowl', price: 3600, count: 1 },
];
const DISCOUNT = 10; // percent

function sum(items) {
  return items.reduce((total, { price, count }) => total + price * count, 0);
}

function discounted(cents, percent) {
  return cents - percent;
}

function euros(cents) {
  return (cents / 100).toFixed(2) + ' €';
}

const total = discounted(sum(basket), DISCOUNT);
document.getElementById('lines').replaceChildren(
  ...basket.map(({ name, price, count }) => {
    const line = document.createElement('li');
    line.textContent = count + ' × ' + name + ', ' + euros(price * count);
    return line;
  }),
);
document.getElementById('total').textContent = euros(total);
`;

const INDEX_HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Basket</title>
    <style>
      body { margin: 3rem auto; max-width: 24rem; font: 17px/1.6 system-ui, sans-serif; color: #26302b; }
      h1 { font-size: 1.6rem; }
      ul { padding: 0; list-style: none; border-block: 1px solid #d5ddd8; }
      li { padding: 0.4rem 0; }
      output { font-weight: 700; }
    </style>
  </head>
  <body>
    <h1>Your basket</h1>
    <ul id="lines"></ul>
    <p>10 % off, you pay <output id="total"></output></p>
    <script src="cart.js"></script>
  </body>
</html>
`;

const WRONG = '  return cents - percent;';
const GUESS = '  return cents - cents * percent;';
const RIGHT = '  return Math.round(cents * (1 - percent / 100));';
const PATH = '/shop/cart.js';
const look = ['Browser.goto', { url: '/shop/index.html' }] as const;

export const findAndFix: Tour = {
  requests: ['The discount in /shop is wrong: 60 € with 10 % off should be 54 €. Find out why and fix it.'],
  files: { '/shop/index.html': INDEX_HTML, [PATH]: CART_JS },
  looks: ['preview', 'terminal', 'files', 'files', 'files', 'files', 'preview'],
  asks: true,
  roles: {
    Zero: [
      {
        replies: [
          reply(
            'First I reproduce the bug, then I look for its cause, then I fix it and check.',
            task('1', [], 'Reproduce the bug and find its cause'),
            task('2', ['1'], 'Fix it, and check the total in the browser'),
            look,
          ),
          reply(
            'The page says 59.90 €: ten cents are taken off, not ten percent. I search for where the discount is computed. The rules here require the user’s approval for the shell.',
            ['Terminal.run_command', { cmd: 'cd /shop && grep -n "percent\\|DISCOUNT" *.js' }],
          ),
          reply('I read the script completely.', ['Editor.read', { path: PATH }]),
          reply(
            'Found: the percentage is subtracted as if it were cents. Task 1 is done. I take the share instead, and look at the result.',
            finishTask,
            ['Editor.replace_text', { path: PATH, old: WRONG, new: GUESS }],
            look,
          ),
          reply(
            'That is −540 €: a percentage is a part of a hundred, and I forgot to divide. I take the edit back rather than patch it.',
            ['Editor.undo_edit', { path: PATH }],
          ),
          reply(
            'The file is as it was. Now the right way, rounded to whole cents.',
            ['Editor.replace_text', { path: PATH, old: WRONG, new: RIGHT }],
            look,
          ),
          reply(
            '54.00 €, as it should be. Done.',
            finishTask,
            say(
              'The discount is correct now: the total is **54.00 €**.\n\n' +
                '`discounted()` in `/shop/cart.js` took *10 cents* off instead of *10 percent*. My first try was wrong, too; I saw it in the browser, undid it and did it properly.',
            ),
            end,
          ),
        ],
      },
    ],
  },
};
