import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../../src/core/error.js';
import { resolvePath } from '../../../../src/files/path.js';
import { originOf } from '../../../../src/agent/policy/addresses.js';
import { matches, type PolicyRule, type Capabilities } from '../../../../src/agent/policy/policy.js';
import { readCapabilities, readPolicy } from '../../../../src/agent/policy/read-policy.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';

/** Returns the errors of impossible rules; empty for valid ones. */
function fault(read: () => unknown): string {
  try {
    read();
    return '';
  } catch (error) {
    if (!(error instanceof RoleZeroError) || error.code !== 'invalid') throw error;
    return error.message;
  }
}
const ofRule = (rule: object) => fault(() => readPolicy([{ tool: '*', do: 'deny', ...rule }]));
const ofBounds = (bounds: object) => fault(() => readCapabilities(bounds));

function isNormal(path: string): boolean {
  try {
    return resolvePath(path) === path;
  } catch {
    return false;
  }
}

describe('paths of rules', () => {
  it.each([
    ['secrets/**', '/secrets/**'],
    ['./x', '/x'],
    ['/a/../b', '/b'],
    ['/a/./b', '/a/b'],
    ['/a//b', '/a/b'],
    ['/secrets/', '/secrets/**'],
    ['/secrets/**/', '/secrets/**/**'],
    ['*', '/**'],
    ['*.txt', '/*.txt'],
    ['~/x', '/~/x'],
  ])('%s matches nothing: write %s', (path, better) => {
    const wanted = `${JSON.stringify(path)} fits no path: those are absolute and without detours; write ${JSON.stringify(better)}.`;
    expect(ofRule({ path })).toBe(
      `policy[0] {"tool":"*","do":"deny","path":${JSON.stringify(path)}} cannot work: path ${wanted}`,
    );
    expect(ofBounds({ write: ['/ok', path] })).toContain(`cannot work: write ${wanted}`);
    expect(ofRule({ path: better })).toBe('');
  });

  it.each(['C:/x', '/a\\b', '/../x', 'https://a.example/x'])('%s matches nothing either', (path) => {
    expect(ofRule({ path })).toContain('fits no path');
  });

  it.each([
    '/',
    '/**',
    '**',
    '*/x',
    '**/x',
    '**x',
    '*/',
    '**/',
    '/*',
    '/.*',
    '/..*',
    '/a/**/*.md',
    '/**/.env',
    '/a%2f',
  ])('accepts %s', (path) => {
    expect(ofRule({ path })).toBe('');
    expect(ofBounds({ write: [path] })).toBe('');
  });

  it('rejects exactly those patterns that match no path', () => {
    let texts = [''];
    const paths: string[] = [];
    for (let length = 1; length <= 7; length++) {
      texts = texts.flatMap((text) => ['/', 'a', '.'].map((character) => text + character));
      paths.push(...texts.filter((text) => text.startsWith('/') && isNormal(text)));
    }
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('/', '*', 'a', '.'), minLength: 1, maxLength: 6 }),
        (glob) => {
          const fits = paths.some((path) => matches(glob, path, '/'));
          expect([glob, ofRule({ path: glob }) === '']).toEqual([glob, fits]);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});

describe('origins of rules', () => {
  it.each([
    ['evil.test', 'https://evil.test'],
    ['*.evil.test/x', 'https://*.evil.test'],
    ['https://evil.test/', 'https://evil.test'],
    ['https://evil.test/path', 'https://evil.test'],
    ['https://evil.test/*', 'https://evil.test'],
    ['https://Evil.Test', 'https://evil.test'],
    ['HTTPS://evil.test', 'https://evil.test'],
    ['https://evil.test:443', 'https://evil.test'],
    ['http://*.evil.test:80', 'http://*.evil.test'],
    ['https://evil.test.', 'https://evil.test'],
    ['https://me@evil.test', 'https://evil.test'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://*.bücher.example', 'https://*.xn--bcher-kva.example'],
    ['http://2130706433', 'http://127.0.0.1'],
    ['//evil.test', 'https://evil.test'],
    ['evil.test:8443', 'https://evil.test:8443'],
    ['localhost:*', 'https://localhost:*'],
    ['evil.test*', 'https://evil.test*'],
    ['https:evil.test', 'https://evil.test'],
    ['https://', 'https://*.example.org'],
  ])('%s matches nothing: write %s', (origin, better) => {
    const wanted = `${JSON.stringify(origin)} fits no origin: those are a scheme, a host and a port that is not the usual one, as URL writes them; write ${JSON.stringify(better)}.`;
    expect(ofRule({ origin })).toContain(`cannot work: origin ${wanted}`);
    expect(ofBounds({ origins: [origin] })).toContain(`cannot work: origins ${wanted}`);
    expect(ofRule({ origin: better })).toBe('');
  });

  it.each([
    'https://evil.test',
    'http://evil.test:8080',
    'https://*.evil.test',
    'https://evil.*',
    'https://*',
    'http*://evil.test',
    '*://evil.test',
    '*.evil.test',
    '*',
    '**',
    'https*',
    'https:*',
    'https://evil.test:*',
    'https://*:8443',
    '*:443',
    'http://10.*.0.1',
    'http://192.168.*',
    'http://[::1]:3000',
    'http://[fd00:*]',
    'wss://evil.test',
    'mailto:*',
    'ipfs://*',
    'data:*',
  ])('accepts %s', (origin) => {
    expect(ofRule({ origin })).toBe('');
    expect(ofBounds({ origins: [origin] })).toBe('');
  });

  it('rejects nothing that matches an origin', () => {
    const piece = fc.constantFrom('https', 'http', '://', 'a', '.', ':', '80', '443', '8', '*', 'example');
    const host = fc.constantFrom('a', 'example', 'a.example', 'a.a', '8.8.8.8', 'example.a.a');
    const port = fc.constantFrom('', ':80', ':443', ':8', ':8443');
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('https', 'http'),
        host,
        port,
        (pieces, scheme, name, number) => {
          const pattern = pieces.join('');
          const origin = originOf(`${scheme}://${name}${number}`);
          if (matches(pattern, origin)) expect([pattern, ofRule({ origin: pattern })]).toEqual([pattern, '']);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('an invalid rule', () => {
  it.each<[string, object, string]>([
    [
      'a field misspelled',
      { paths: '/x' },
      'has no field "paths", did you mean "path"? It has tool, role, path, origin, args, do, lifetime.',
    ],
    ['a misspelled field', { decision: 'deny' }, 'has no field "decision", did you mean "do"? It has'],
    ['an undefined field', { orgin: '*' }, 'has no field "orgin", did you mean "origin"? It has'],
    ['an unknown field', { zzz: 1 }, 'has no field "zzz"; it has'],
    ['a field that every object has', { constructor: 'x' }, 'has no field "constructor"; it has'],
    ['an unknown decision', { do: 'block' }, 'cannot work: do "block" is none of allow, ask, deny.'],
    [
      'an unknown lifetime',
      { lifetime: 'always' },
      'cannot work: lifetime "always" is none of once, run, session.',
    ],
    ['an empty pattern', { tool: '' }, 'cannot work: tool "" fits nothing; write "*" for anything.'],
    ['a list as a pattern', { path: ['/a'] }, 'cannot work: path ["/a"] is not a text.'],
    ['null as a pattern', { role: null }, 'cannot work: role null is not a text.'],
    ['an argument that is not a text', { args: { count: 3 } }, 'cannot work: args 3 is not a text.'],
    ['arguments by number', { args: ['x'] }, 'cannot work: args ["x"] is not an object of patterns by name.'],
  ])('%s', (_what, rule, answers) => {
    expect(ofRule(rule)).toContain(answers);
  });

  it('is reported with its place', () => {
    const rules = [{ tool: '*', do: 'allow' }, { tool: 'Mail.send' }, 'deny'];
    expect(fault(() => readPolicy(rules.slice(0, 2)))).toBe(
      'policy[1] {"tool":"Mail.send"} has no do, which every rule needs.',
    );
    expect(fault(() => readPolicy([rules[0], rules[2]]))).toBe('policy[1] "deny" is not an object.');
    expect(fault(() => readPolicy({ tool: '*' }))).toBe('policy {"tool":"*"} is not a list of rules.');
    expect(fault(() => readPolicy([{ do: 'deny' }]))).toBe(
      'policy[0] {"do":"deny"} has no tool, which every rule needs.',
    );
  });

  it('rejects bounds of other names and kinds', () => {
    expect(ofBounds({ origin: ['*'] })).toContain(
      'capabilities {"origin":["*"]} has no field "origin", did you mean "origins"? It has outside, origins, write.',
    );
    expect(ofBounds({ outside: 'Browser.*' })).toContain('cannot work: outside "Browser.*" is not a list.');
    expect(ofBounds({ outside: [''] })).toContain('cannot work: outside "" fits nothing');
    expect(ofBounds(['Browser.*'])).toBe('capabilities ["Browser.*"] is not an object.');
  });

  it('reports a value that contains itself', () => {
    const rule: Record<string, unknown> = { tool: '*', do: 'deny' };
    rule['path'] = rule;
    expect(fault(() => readPolicy([rule]))).toBe('policy[0] object cannot work: path object is not a text.');
  });
});

describe('a parsed policy', () => {
  const policy: PolicyRule[] = [
    {
      tool: 'Mail.*',
      role: 'Zero',
      path: '/a',
      origin: 'https://a.example',
      args: { to: '*' },
      do: 'ask',
      lifetime: 'run',
    },
  ];
  const capabilities: Capabilities = { outside: ['*'], origins: ['https://a.example'], write: ['/a'] };

  it('returns the given rules, or none', () => {
    expect(readPolicy(policy)).toEqual(policy);
    expect(readCapabilities(capabilities)).toEqual(capabilities);
    expect(readPolicy()).toEqual([]);
    expect(readPolicy([{ tool: '*', path: undefined, do: 'deny' }])).toEqual([{ tool: '*', do: 'deny' }]);
    expect(readCapabilities()).toBeNull();
    expect(readCapabilities({})).toEqual({});
  });

  it('cannot be changed by its author or by the owner of the role', () => {
    const given = structuredClone(policy);
    const bounds = { outside: ['Mail.*'] };
    const role = new RoleZero({ policy: given, capabilities: bounds });
    Object.assign(given[0]?.args ?? {}, { to: 'x' });
    bounds.outside.push('*');
    expect(role.settings.rules).toEqual(policy);
    expect(role.settings.capabilities).toEqual({ outside: ['Mail.*'] });
    for (const part of [
      role.settings.rules,
      role.settings.rules[0],
      role.settings.rules[0]?.args,
      role.settings.capabilities,
      role.settings.capabilities?.outside,
    ])
      expect(Object.isFrozen(part)).toBe(true);
  });

  it('is validated when the role is created', () => {
    expect(
      fault(() => new RoleZero({ policy: [{ tool: 'Editor.write', path: 'secrets/**', do: 'deny' }] })),
    ).toContain('write "/secrets/**"');
    expect(fault(() => new RoleZero({ capabilities: { origins: ['example.org'] } }))).toContain(
      'write "https://example.org"',
    );
  });
});
