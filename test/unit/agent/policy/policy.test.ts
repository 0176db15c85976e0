import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isForbidden,
  matches,
  ruling,
  type Asked,
  type PolicyRule,
} from '../../../../src/agent/policy/policy.js';
import { ruleOfTwo, type Reach } from '../../../../src/agent/policy/rule-of-two.js';

const asked = (tool: string, more: Partial<Asked> = {}): Asked => ({
  role: 'Zero',
  tool,
  args: {},
  path: null,
  origin: null,
  ...more,
});
const says = (what: Asked, rules: readonly PolicyRule[]) => ruling(what, rules)?.do ?? null;

describe('policy (R-032)', () => {
  it('leaves a command undecided when no rule matches; a deny beats every allow, then the most specific rule wins', () => {
    const rules: PolicyRule[] = [
      { tool: '*', do: 'allow' },
      { tool: 'Editor.*', do: 'ask' },
      { tool: 'Editor.write', path: '/notes/**', do: 'allow' },
      { tool: 'Editor.*', path: '/secrets/**', do: 'deny' },
      { tool: 'Editor.write', path: '/secrets/mine', do: 'allow' },
    ];
    expect(says(asked('Plan.append_task'), rules.slice(1))).toBeNull();
    expect(says(asked('Plan.append_task'), rules)).toBe('allow');
    expect(says(asked('Editor.write', { path: '/a' }), rules)).toBe('ask');
    expect(says(asked('Editor.write', { path: '/notes/a' }), rules)).toBe('allow');
    expect(says(asked('Editor.write', { path: '/secrets/mine' }), rules)).toBe('deny');
  });

  it('uses the stricter of two equally specific rules', () => {
    const rules: PolicyRule[] = [
      { tool: 'A.*', do: 'allow' },
      { tool: 'A.*', do: 'ask' },
    ];
    expect(says(asked('A.b'), rules)).toBe('ask');
    expect(says(asked('A.b'), rules.toReversed())).toBe('ask');
  });

  it('a rule matches only when its role, tool, arguments, path and origin all match', () => {
    const whole: PolicyRule = {
      role: 'Mike',
      tool: 'Mail.*',
      args: { to: '*@example.org', count: '3' },
      path: '/out/*',
      origin: 'https://*.example.org',
      do: 'allow',
    };
    const fitting = asked('Mail.send', {
      role: 'Mike',
      args: { to: 'a@example.org', count: 3 },
      path: '/out/a',
      origin: 'https://mail.example.org',
    });
    expect(says(fitting, [whole])).toBe('allow');
    const others: Partial<Asked>[] = [
      { role: 'Rita' },
      { tool: 'Post.send' },
      { args: { to: 'a@example.com', count: 3 } },
      { args: { to: 'a@example.org' } },
      { path: '/out/a/b' },
      { path: null },
      { origin: 'https://example.com' },
      { origin: null },
    ];
    for (const other of others) expect(says({ ...fitting, ...other }, [whole])).toBeNull();
  });

  it('matches a command by any of its names, and its arguments too', () => {
    const command = asked('Mail.send', {
      aliases: ['post', 'send_mail'],
      args: { to: 'a@example.org', cc: 'b@example.org' },
      argumentNames: { recipient: 'to', cc: 'to' },
    });
    const speaksOf = (rule: Partial<PolicyRule>) =>
      says(command, [{ tool: '*', do: 'deny', ...rule }]) !== null;
    expect(['Mail.send', 'post', 'send_*', 'Post'].map((tool) => speaksOf({ tool }))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(speaksOf({ args: { recipient: 'a@*' } })).toBe(true);
    expect(speaksOf({ args: { recipient: 'b@*' } })).toBe(false);
    expect(speaksOf({ args: { cc: 'b@*' } })).toBe(true); // Its own name takes precedence over another's.
    expect(speaksOf({ args: { constructor: '*' } })).toBe(false);
    expect(isForbidden('Zero', 'Mail.send', [{ tool: 'post', do: 'deny' }], ['post'])).toBe(true);
    expect(isForbidden('Zero', 'Mail.send', [{ tool: 'post', do: 'deny' }])).toBe(false);
  });

  it('does not treat an inherited property as an argument', () => {
    expect(says(asked('A.b'), [{ tool: '*', args: { constructor: '*' }, do: 'allow' }])).toBeNull();
  });

  it('hides only tools that no arguments could make allowed', () => {
    const rules: PolicyRule[] = [
      { tool: 'A.*', do: 'deny' },
      { tool: 'B.*', path: '/x', do: 'deny' },
    ];
    expect(isForbidden('Zero', 'A.b', rules)).toBe(true);
    expect(isForbidden('Zero', 'B.b', rules)).toBe(false);
  });

  it('a matching deny always wins, wherever it is', () => {
    const text = fc.constantFrom('*', 'A.*', 'A.b', 'B.*');
    const rule = fc.record({
      tool: text,
      do: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
    });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), fc.constantFrom('A.b', 'B.c', 'C.d'), (rules, tool) => {
        const matching = rules.filter((each) => matches(each.tool, tool));
        const expected = matching.some((each) => each.do === 'deny');
        expect(says(asked(tool), rules) === 'deny').toBe(expected);
        expect(says(asked(tool), rules) === null).toBe(matching.length === 0);
      }),
    );
  });
});

describe('the rule of two, case by case', () => {
  const cells: Record<Reach, readonly string[]> = {
    //         neither    untrusted private  both
    inside: ['allow', 'allow', 'allow', 'allow'],
    leak: ['allow', 'allow', 'allow', 'once'],
    read: ['allow', 'allow', 'allow', 'allow'],
    follow: ['allow', 'run', 'allow', 'run'],
    further: ['allow', 'run', 'allow', 'run'],
    listed: ['allow', 'allow', 'allow', 'run'],
    query: ['allow', 'allow', 'run', 'once'],
    compose: ['allow', 'run', 'run', 'once'],
    write: ['session', 'run', 'run', 'once'],
    release: ['allow', 'allow', 'once', 'once'],
    overwrite: ['allow', 'run', 'allow', 'once'],
  };
  for (const [reach, row] of Object.entries(cells)) {
    it(`${reach}: ${row.join(', ')}`, () => {
      const exposures = [false, true].flatMap((secret) =>
        [false, true].map((untrusted) => ({ untrusted, private: secret })),
      );
      expect(exposures.map((exposure) => ruleOfTwo(reach as Reach, exposure))).toEqual(row);
    });
  }
});

it('asks once per run for private data that came from the service which is read', () => {
  const ofService = (untrusted: boolean) => ({ untrusted, private: false, ownData: true });
  expect(ruleOfTwo('listed', ofService(true))).toBe('allow');
  expect(ruleOfTwo('query', ofService(true))).toBe('run');
  expect(ruleOfTwo('compose', ofService(true))).toBe('run');
  expect(ruleOfTwo('query', ofService(false))).toBe('allow');
});

describe('globs', () => {
  it('matches one star within a path segment, and two stars across segments', () => {
    expect(matches('/a/*', '/a/b', '/')).toBe(true);
    expect(matches('/a/*', '/a/b/c', '/')).toBe(false);
    expect(matches('/a/**', '/a/b/c', '/')).toBe(true);
    expect(matches('/a/*/c', '/a/b/c', '/')).toBe(true);
    expect(matches('Editor.*', 'Editor.write')).toBe(true);
    expect(matches('Editor.*', 'Editors.write')).toBe(false);
  });

  it('matches a plain definition of globs', () => {
    const symbol = fc.constantFrom('a', 'b', '/', '*', '**');
    fc.assert(
      fc.property(
        fc.array(symbol, { maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 10 }),
        (parts, text) => {
          const pattern = parts.join('').replace(/\*{3,}/g, '**');
          const expression = pattern.replace(/\*\*|\*|[^*]/g, (part) =>
            part === '**' ? '[^]*' : part === '*' ? '[^/]*' : part,
          );
          expect(matches(pattern, text, '/')).toBe(new RegExp(`^${expression}$`).test(text));
        },
      ),
    );
  });

  it('is fast on a hostile pattern', () => {
    expect(matches('*a'.repeat(200) + 'b', 'a'.repeat(2000))).toBe(false);
  });

  it.each([
    ['*ccc*b*', 1_000_000, ''],
    ['**c'.repeat(30), 100_000, '/'],
    ['*c'.repeat(30), 100_000, '/'],
  ])('takes time linear in a text: %s on %i characters', (pattern, length, separator) => {
    // Quadratic work would need hours, longer than any time limit of a test.
    expect(matches(pattern, 'c'.repeat(length), separator)).toBe(
      matches(pattern, 'c'.repeat(100), separator),
    );
  });
});
