import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../../../src/core/define-tool.js';
import { parseCommands } from '../../../src/agent/parse/commands.js';
import { thoughtOf } from '../../../src/agent/stream/thought-text.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { runRole } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { terminal } from 'rolezero/tools/terminal';
import { programs } from '../../../demo/programs.js';
import { en } from '../../../demo/text/en.js';
import { zh } from '../../../demo/text/zh.js';
import { GAME_JS, INDEX_HTML, PALETTES, STYLE_CSS } from '../../../demo/tour/game.js';
import { recordedAnswer, tourModel, tourOf } from '../../../demo/tour/index.js';
import { TOUR_NAMES } from '../../../demo/tour/names.js';

/** Pages need a browser; test/e2e plays the complete tours there. */
const pages = ['Browser.goto', 'Browser.press'].map((name) =>
  defineTool({ name, description: 'Stands in.', input: z.looseObject({}), run: () => 'Done.' }),
);
const game = tourOf('build-a-game');
const [request = ''] = game.requests;
const zero = () =>
  new RoleZero({
    name: 'Zero',
    model: tourModel(game, { charactersPerSecond: Infinity }),
    tools: [...editor(), ...pages],
  });

describe('the tours', () => {
  it('plan, write a game, ask for colors, edit, reply and end, without a failed command', async () => {
    const result = await runRole(zero(), request, { answers: ['Forest'] });
    expect(result.outcome).toMatchObject({ status: 'done', summary: result.human.replies.at(-1) });
    expect(result.events.filter((event) => event.type === 'command-end' && !event.ok)).toEqual([]);
    expect(result.plan.tasks.map((task) => task.isFinished)).toEqual([true, true, true]);
    expect(result.human.questions).toEqual(['Which colors would you like the game to have?']);
    expect(result.files).toEqual({
      '/index.html': INDEX_HTML,
      '/game.js': GAME_JS,
      '/style.css': STYLE_CSS.replace(
        /( {2}--page.*\n)( {2}--board.*\n)( {2}--hue.*\n)/,
        PALETTES.Forest.map((line) => `${line}\n`).join(''),
      ),
    });
  });

  it('analyze a table: the programs run, tests find the mistake, and the numbers of the reply are those of the table', async () => {
    const table = tourOf('analyze-a-table');
    const role = new RoleZero({
      name: 'Zero',
      model: tourModel(table, { charactersPerSecond: Infinity }),
      tools: [...editor(), ...terminal(programs()), ...pages],
    });
    const [question = ''] = table.requests;
    const { outcome, events, files, human } = await runRole(role, question, { files: table.files ?? {} });
    expect(outcome.status).toBe('done');
    expect(events.filter((event) => event.type === 'command-end' && !event.ok)).toEqual([]);
    const outputs = events.flatMap((event) =>
      event.type === 'command-end' && event.name === 'Terminal.run_command' ? [event.output] : [],
    );
    expect(outputs[1]).toMatch(/✖ every row has an amount[^]*fail 1/);
    expect(outputs[2]).toMatch(/pass 2\nℹ fail 0/);
    expect(outputs[3]).toMatch(/North +12165\nSouth +9320\nWest +7225/);
    expect(human.replies.at(-1)).toMatch(/12,165[^]*9,320[^]*7,225/);
    expect(files['/sales.svg']).toMatch(/^<svg [^]*<polyline[^]*<\/svg>\n$/);
  });

  it('use the answer, and nothing of other questions', () => {
    const text = 'Which colors would you like the game to have?';
    expect(recordedAnswer(game, { kind: 'question', text })).toBe('Forest');
    expect(recordedAnswer(game, { kind: 'question', text: 'constructor' })).toBeNull();
    expect(recordedAnswer(tourOf('find-and-fix'), { kind: 'approval', text: 'May it?' })).toBe('yes');
  });

  it('report that they have only three palettes when the user asks for another color', async () => {
    const result = await runRole(zero(), request, { answers: ['Pink, please'] });
    expect(result.files['/style.css']).toContain('--hue: 205;');
    expect(result.memory.map(({ content }) => content).join()).toContain('know only three palettes');
  });

  it('report that they are recordings for any other request', async () => {
    const result = await runRole(zero(), 'Write a novel');
    expect(result.human.replies).toEqual([
      'These replies are recorded: they know only the request "Build a small 2048 game". Connect a model for other requests.',
    ]);
  });

  it.each(TOUR_NAMES)(
    '%s: each reply is valid, differs from all others, and has a note and a target',
    (name) => {
      const tour = tourOf(name);
      const replies = Object.values(tour.roles).flatMap((scenes) =>
        scenes.flatMap((scene) =>
          scene.replies.map((reply) => (typeof reply === 'string' ? reply : reply('Ocean'))),
        ),
      );
      expect(new Set(replies).size).toBe(replies.length);
      for (const reply of replies) {
        const parsed = parseCommands(reply);
        expect(parsed).toMatchObject({ ok: true, repaired: false });
        expect(thoughtOf(reply, 'think')).not.toBe('');
      }
      expect(tour.looks).toHaveLength(replies.length);
      for (const texts of [en, zh]) expect(texts.tours[name].notes).toHaveLength(replies.length);
    },
  );
});
