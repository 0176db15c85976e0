import { describe, expect, it } from 'vitest';
import { RoleZero } from '../../../src/role/role-zero.js';
import { runRole } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { GAME_JS, INDEX_HTML, PALETTES, STYLE_CSS } from '../../../demo/tour/game.js';
import { TOUR_REQUEST, tourModel } from '../../../demo/tour/index.js';
import { SUMMARY } from '../../../demo/tour/recording.js';

const zero = () =>
  new RoleZero({ model: tourModel({ charactersPerSecond: Infinity }), tools: [...editor()] });

describe('the tour', () => {
  it('plans, writes a game, asks for colours, edits, replies and ends, without a command that fails', async () => {
    const result = await runRole(zero(), TOUR_REQUEST, { answers: ['Forest'] });
    expect(result.outcome).toMatchObject({ status: 'done', summary: SUMMARY });
    expect(result.events.filter((event) => event.type === 'command-end' && !event.ok)).toEqual([]);
    expect(result.plan.tasks.map((task) => task.isFinished)).toEqual([true, true, true]);
    expect(result.human.questions).toEqual(['Which colours would you like the game to have?']);
    expect(result.files).toEqual({
      '/index.html': INDEX_HTML,
      '/game.js': GAME_JS,
      '/style.css': STYLE_CSS.replace(
        /( {2}--page.*\n)( {2}--board.*\n)( {2}--hue.*\n)/,
        PALETTES.Forest.map((line) => `${line}\n`).join(''),
      ),
    });
  });

  it('says that it only knows three palettes when another colour is wished for', async () => {
    const result = await runRole(zero(), TOUR_REQUEST, { answers: ['Pink, please'] });
    expect(result.files['/style.css']).toContain('--hue: 205;');
    expect(result.memory.map(({ content }) => content).join()).toContain('only know three palettes');
  });

  it('says that it is a recording when anything else is asked', async () => {
    const result = await runRole(zero(), 'Write a novel');
    expect(result.human.replies).toEqual([
      'These replies are recorded: they only know the request "Build a small 2048 game". Connect a model to ask for anything else.',
    ]);
  });
});
