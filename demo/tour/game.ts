/** The files that the recorded run writes: a small working 2048. */

export const INDEX_HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>2048</title>
    <link rel="stylesheet" href="style.css" />
  </head>
  <body>
    <main>
      <header>
        <h1>2048</h1>
        <p>Score <output id="score">0</output></p>
        <button id="restart" type="button">New game</button>
      </header>
      <div id="board" role="img" aria-label="Game board" tabindex="0"></div>
      <p id="message" aria-live="polite"></p>
    </main>
    <script src="game.js"></script>
  </body>
</html>
`;

export const STYLE_CSS = `:root {
  --page: #f3f3f5;
  --board: #d8d8de;
  --hue: 230;
}

* {
  box-sizing: border-box;
}

body {
  margin: 0;
  min-height: 100vh;
  display: grid;
  place-items: center;
  background: var(--page);
  color: #2b2b33;
  font: 16px/1.5 system-ui, sans-serif;
}

main {
  width: min(92vw, 24rem);
  padding: 1rem 0;
}

header {
  display: flex;
  align-items: center;
  gap: 1rem;
}

h1 {
  margin: 0 auto 0 0;
  font-size: 2rem;
}

button {
  border: 0;
  border-radius: 0.5rem;
  padding: 0.5rem 0.9rem;
  background: hsl(var(--hue) 45% 38%);
  color: white;
  font: inherit;
  cursor: pointer;
}

#board {
  display: grid;
  grid-template-columns: repeat(4, 1fr);
  gap: 0.5rem;
  margin-top: 0.75rem;
  padding: 0.5rem;
  border-radius: 0.75rem;
  background: var(--board);
  touch-action: none;
}

.tile {
  aspect-ratio: 1;
  display: grid;
  place-items: center;
  border-radius: 0.5rem;
  background: rgb(255 255 255 / 35%);
  font-size: 1.5rem;
  font-weight: 700;
}

.tile[data-value] {
  background: hsl(calc(var(--hue) - var(--level) * 4) 70% calc(92% - var(--level) * 5%));
}

.tile.strong {
  color: white;
}

#message {
  min-height: 1.5em;
  text-align: center;
}
`;

export const GAME_JS = `// 2048: slide the tiles; two equal ones that meet become one.
const SIZE = 4;
const board = document.getElementById('board');
const scoreText = document.getElementById('score');
const message = document.getElementById('message');

let cells = [];
let score = 0;
let won = false;

function start() {
  cells = Array(SIZE * SIZE).fill(0);
  score = 0;
  won = false;
  addTile();
  addTile();
  draw('Arrow keys or a swipe move the tiles.');
}

function addTile() {
  const free = cells.flatMap((value, index) => (value === 0 ? [index] : []));
  if (free.length === 0) return;
  cells[free[Math.floor(Math.random() * free.length)]] = Math.random() < 0.9 ? 2 : 4;
}

// The cells of one row or column, first the one the tiles travel to.
function lane(number, direction) {
  return Array.from({ length: SIZE }, (_, step) => {
    if (direction === 'left') return number * SIZE + step;
    if (direction === 'right') return number * SIZE + SIZE - 1 - step;
    if (direction === 'up') return step * SIZE + number;
    return (SIZE - 1 - step) * SIZE + number;
  });
}

function slide(values) {
  const tiles = values.filter((value) => value !== 0);
  const slid = [];
  let gained = 0;
  while (tiles.length > 0) {
    const tile = tiles.shift();
    const joins = tile === tiles[0];
    if (joins) gained += tile + tiles.shift();
    slid.push(joins ? tile * 2 : tile);
  }
  while (slid.length < SIZE) slid.push(0);
  return { slid, gained };
}

function canMove() {
  return cells.some(
    (value, index) =>
      value === 0 ||
      (index % SIZE < SIZE - 1 && value === cells[index + 1]) ||
      value === cells[index + SIZE],
  );
}

function move(direction) {
  let moved = false;
  for (let number = 0; number < SIZE; number++) {
    const places = lane(number, direction);
    const { slid, gained } = slide(places.map((place) => cells[place]));
    score += gained;
    places.forEach((place, step) => {
      moved ||= cells[place] !== slid[step];
      cells[place] = slid[step];
    });
  }
  if (!moved) return;
  addTile();
  if (!won && cells.includes(2048)) {
    won = true;
    draw('2048! You can go on.');
  } else {
    draw(canMove() ? '' : 'No move is left. Well played!');
  }
}

function draw(text) {
  board.replaceChildren(
    ...cells.map((value) => {
      const tile = document.createElement('div');
      tile.className = value >= 32 ? 'tile strong' : 'tile';
      if (value === 0) return tile;
      tile.dataset.value = value;
      tile.style.setProperty('--level', Math.log2(value));
      tile.textContent = value;
      return tile;
    }),
  );
  board.setAttribute('aria-label', 'Game board: ' + cells.join(' '));
  scoreText.textContent = score;
  message.textContent = text;
}

const KEYS = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };
document.addEventListener('keydown', (event) => {
  const direction = KEYS[event.key];
  if (direction === undefined) return;
  event.preventDefault();
  move(direction);
});

let from = null;
board.addEventListener('pointerdown', (event) => {
  from = { x: event.clientX, y: event.clientY };
});
addEventListener('pointerup', (event) => {
  if (from === null) return;
  const x = event.clientX - from.x;
  const y = event.clientY - from.y;
  from = null;
  if (Math.max(Math.abs(x), Math.abs(y)) < 24) return;
  if (Math.abs(x) > Math.abs(y)) move(x > 0 ? 'right' : 'left');
  else move(y > 0 ? 'down' : 'up');
});

document.getElementById('restart').addEventListener('click', start);
start();
`;

/** The palettes a user may choose: they replace the first three variables of the style sheet. */
export const PALETTES = {
  Sunrise: ['  --page: #fdf6ee;', '  --board: #ecd9c2;', '  --hue: 36;'],
  Ocean: ['  --page: #eef6fa;', '  --board: #c4dce6;', '  --hue: 205;'],
  Forest: ['  --page: #f1f6ee;', '  --board: #cdddc3;', '  --hue: 130;'],
} as const;
