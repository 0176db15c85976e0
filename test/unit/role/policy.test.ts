import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/base/tool.js';
import { decide, matches, type PolicyRule } from '../../../src/role/policy.js';

const command = (name: string) => ({ name, args: {} });

describe('policy', () => {
  it('allows what no rule speaks of, and lets the strictest rule win', () => {
    const rules = [
      { tool: 'Editor.*', do: 'ask' },
      { tool: 'Editor.write', path: '/secrets/**', do: 'deny' },
      { tool: '*', do: 'allow' },
    ] as const;
    expect(decide(command('Plan.append_task'), null, rules)).toBe('allow');
    expect(decide(command('Editor.write'), '/a', rules)).toBe('ask');
    expect(decide(command('Editor.write'), '/secrets/deep/key', rules)).toBe('deny');
    expect(decide(command('Editor.write'), null, rules)).toBe('ask');
  });

  it('after something untrusted was read, asks before what leaves the session, unless a rule allows it by name', () => {
    const rules = [
      { tool: 'Terminal.*', do: 'ask' },
      { tool: 'Mail.read', do: 'allow' },
    ] as const;
    const after = (name: string, effect: Effect, some: readonly PolicyRule[] = rules) =>
      decide(command(name), null, some, { effect, afterUntrusted: true });
    expect(
      (['pure', 'session', 'egress-read', 'egress-write', 'ui'] as const).map((each) =>
        after('Mail.send', each),
      ),
    ).toEqual(['allow', 'allow', 'ask', 'ask', 'ask']);
    expect(after('Mail.read', 'egress-write')).toBe('allow');
    expect(after('Mail.send', 'egress-write', [])).toBe('allow'); // an application without rules asks nobody anything
    expect(decide(command('Mail.send'), null, rules, { effect: 'egress-write', afterUntrusted: false })).toBe(
      'allow',
    );
  });

  it('a star stays within a path segment, two stars do not', () => {
    expect(matches('/a/*', '/a/b', '/')).toBe(true);
    expect(matches('/a/*', '/a/b/c', '/')).toBe(false);
    expect(matches('/a/**', '/a/b/c', '/')).toBe(true);
    expect(matches('/a/*/c', '/a/b/c', '/')).toBe(true);
    expect(matches('Editor.*', 'Editor.write')).toBe(true);
    expect(matches('Editor.*', 'Editors.write')).toBe(false);
  });

  it('agrees with a plain definition of globs', () => {
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

  it('is not slowed down by a hostile pattern', () => {
    expect(matches('*a'.repeat(200) + 'b', 'a'.repeat(2000))).toBe(false);
  });
});
