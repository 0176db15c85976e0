import { describe, expect, it } from 'vitest';
import { placeOf } from '../../../demo/state/element-place.js';

const PAGE = `<!doctype html>
<h1>Basket</h1>
<ul id="lines"></ul>
<button class="primary">Buy</button>
<button class="primary">
  Add to the basket
</button>
<script src="cart.js"></script>`;
const SCRIPT = `const row = document.createElement('li');
row.className = 'line sold-out';
row.textContent = 'No tea left';`;
const files = [
  ['/cart.js', SCRIPT],
  ['/index.html', PAGE],
] as const;

function lineOf(tag: string, { id = '', classes = '', text = '' }) {
  return placeOf({ name: tag, selector: tag, tag, id, classes, text }, '/index.html', files);
}

describe('the line of an element', () => {
  it.each([
    ['h1', { text: 'Basket' }, 2],
    ['ul', { id: 'lines', text: 'Sencha' }, 3],
    ['button', { classes: 'primary', text: 'Buy' }, 4],
    ['button', { classes: 'primary', text: 'Add to the basket' }, 5],
  ])('is that of its start tag: %s %j', (tag, about, line) => {
    expect(lineOf(tag, about)).toEqual({ path: '/index.html', line });
  });

  it('is that of the script which creates it', () => {
    expect(lineOf('li', { text: 'No tea left' })).toEqual({ path: '/cart.js', line: 3 });
  });

  it('is unknown when more than one fits, and when none does', () => {
    expect(lineOf('button', { classes: 'primary' })).toBeNull();
    expect(lineOf('li', { text: 'Something else' })).toBeNull();
  });
});
