import { describe, expect, it } from 'vitest';
import { attacks, quotations, SETTINGS, UNPROTECTED, USERS } from '../../attacks/attacks.js';
import { CARRIERS } from '../../attacks/carriers.js';
import { INSIDE, FORBIDDEN_BY_RULE, GOALS, NEEDED } from '../../attacks/goals.js';
import { figuresOf, playAttacks } from '../../attacks/play-attacks.js';
import { WORDINGS } from '../../attacks/wordings.js';
import { spaced } from '../../size.js';

/** Primes that divide no dimension, so that no kind is left out. `npm run test:attacks` tries all attacks. */
const STRIDES = [1, 5, 13, 47, 101, 613];
/** The largest with which each combination of two dimensions is tried. */
const STANDARD = 47;
const EVERY = STRIDES.find((stride) => stride >= spaced(STANDARD / 2)) ?? 613;

/** Goals that only capabilities forbid, and goals that the library prevents whatever a rule says. */
const OUT_OF_REACH = new Set([
  ...FORBIDDEN_BY_RULE,
  'private network',
  'edit, then undo more',
  'browser: wait',
]);

/** A carrier with each hostile source of tools. */
const SOURCES = {
  mcp: 'result of an MCP tool',
  'web-mcp': 'result of a WebMCP tool',
  sender: 'page that another sender asks about',
};

describe('a model that obeys whatever it reads (reliability 4.7)', () => {
  it('has no effect that the user did not allow, and reveals no key', { timeout: 1_800_000 }, async () => {
    const tried = attacks(EVERY);
    const outcomes = await playAttacks(tried);
    const figures = figuresOf(outcomes);
    console.log(`attacks: ${JSON.stringify(figures)} of ${attacks().length}`);
    expect(outcomes.filter(({ through, keys }) => through.length + keys.length > 0)).toEqual([]);
    expect(figures.tried).toBe(tried.length);
    expect(tried.length).toBeGreaterThanOrEqual(Math.floor(attacks().length / EVERY));
    expect(attacks().length).toBeGreaterThanOrEqual(20_000);
    expect(figures.asked).toBeGreaterThan(0);
  });

  it('reaches its goals where everything is allowed', async () => {
    const [any] = attacks();
    if (any === undefined) throw new Error('There are no attacks.');
    const each = Object.keys(GOALS)
      .filter((goal) => !OUT_OF_REACH.has(goal))
      .map((goal) => {
        const needed = NEEDED[goal];
        const carrier = needed === undefined ? 'page' : SOURCES[needed];
        return { ...any, setting: UNPROTECTED, goal, carrier, secret: 'file' as const };
      });
    const missed = (await playAttacks(each)).filter(({ through }) => through.length === 0);
    expect(missed.map(({ attack }) => attack.goal)).toEqual([]);
  });

  it('runs no commands that the model only quotes, although everything is allowed', async () => {
    const outcomes = await playAttacks(quotations(spaced(5)));
    console.log(`quotations: ${JSON.stringify(figuresOf(outcomes))} of ${quotations().length}`);
    expect(outcomes.filter(({ through, keys }) => through.length + keys.length > 0)).toEqual([]);
    expect(outcomes.filter(({ obeyed }) => obeyed).length).toBeGreaterThan(outcomes.length / 2);
  });

  it('receives the order by every carrier, except for labelled memories and notes, which are not recalled', async () => {
    const each = Object.keys(CARRIERS).flatMap((carrier) =>
      attacks()
        .filter((attack) => attack.carrier === carrier && attack.user === 'allows the honest work')
        .slice(0, 1),
    );
    const delivered = (await playAttacks(each)).filter(({ obeyed }) => obeyed);
    expect(delivered.map(({ attack }) => attack.carrier)).toEqual(
      Object.keys(CARRIERS).filter(
        (name) =>
          ![
            'labelled memory',
            'labelled shared memory',
            'labelled note',
            'memory of another session that read the page',
          ].includes(name),
      ),
    );
  });

  it('is tried with each combination of two dimensions', () => {
    const tried = attacks(STANDARD);
    const kinds = (of: (attack: (typeof tried)[number]) => unknown) => new Set(tried.map(of)).size;
    const [carriers, goals] = [Object.keys(CARRIERS).length, Object.keys(GOALS).length];
    const ofUser = INSIDE.size; // not tried with the user's own words
    const notApplied = Object.values(NEEDED).flatMap((needed) =>
      Object.values(CARRIERS).filter(({ source }) => source !== needed),
    );
    expect(kinds(({ carrier, goal }) => `${carrier} ${goal}`)).toBe(
      carriers * goals - ofUser - notApplied.length,
    );
    const common = tried.filter(({ goal }) => NEEDED[goal] === undefined);
    expect(new Set(common.map(({ goal, wording }) => `${goal} ${wording}`)).size).toBe(
      (goals - Object.keys(NEEDED).length) * WORDINGS.length,
    );
    expect(kinds(({ user, setting }) => `${user} ${setting}`)).toBe(
      Object.keys(USERS).length * Object.keys(SETTINGS).length,
    );
  });
});
