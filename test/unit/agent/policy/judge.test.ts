import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { judge, judgeFiles } from '../../../../src/agent/policy/judge.js';
import type { Checked, Situation } from '../../../../src/agent/policy/situation.js';
import { defineTool } from '../../../../src/core/define-tool.js';
import type { Effect } from '../../../../src/core/tool.js';

const SITUATION: Situation = {
  role: 'Zero',
  rules: [],
  capabilities: null,
  ownOrigin: undefined,
  aliasesOf: () => [],
  untrusted: undefined,
  private: null,
  toolState: {},
  sourceOf: (address) => (address === 'https://named.example/' ? 'user' : null),
  readsOf: () => 0,
  quotedBy: () => null,
};

const UNTRUSTED = { untrusted: ['https://evil.example'] };
const PRIVATE = { private: true } as const;
const ALL_ORIGINS = { capabilities: { outside: ['Web.*'], origins: ['https://*'] } };

function command(effect: Effect, url = 'https://named.example/', path?: string): Checked {
  const tool = defineTool({
    name: 'Web.do',
    description: '',
    effect,
    address: 'url',
    input: z.object({ url: z.string(), path: z.optional(z.string()) }),
    run: () => 'done',
  });
  const input = path === undefined ? { url } : { url, path };
  return { tool, command: { name: tool.name, args: input }, input };
}

describe('judge', () => {
  it.each<[title: string, Checked, Partial<Situation>, decision: string, lifetime: string]>([
    [
      'allows an effect inside the session',
      command('session'),
      { ...UNTRUSTED, ...PRIVATE },
      'allow',
      'once',
    ],
    ['allows an outside effect before untrusted content', command('egress-write'), PRIVATE, 'allow', 'once'],
    ['asks for one after it', command('egress-write'), UNTRUSTED, 'ask', 'run'],
    ['asks each time after both', command('egress-write'), { ...UNTRUSTED, ...PRIVATE }, 'ask', 'once'],
    ['allows reading a named address', command('egress-read'), { ...UNTRUSTED, ...PRIVATE }, 'allow', 'once'],
    [
      'asks for reading another address',
      command('egress-read', 'https://other.example/'),
      UNTRUSTED,
      'ask',
      'run',
    ],
    ['asks with capabilities from the start', command('egress-write'), ALL_ORIGINS, 'ask', 'session'],
    ['denies what no capability covers', command('egress-write'), { capabilities: {} }, 'deny', 'once'],
    [
      'denies an origin that is not listed',
      command('egress-write', 'https://other.example/'),
      { capabilities: { outside: ['Web.*'], origins: ['https://named.example'] } },
      'deny',
      'once',
    ],
    [
      'denies a private host that only a pattern covers',
      command('egress-write', 'https://192.168.0.1/'),
      ALL_ORIGINS,
      'deny',
      'once',
    ],
    [
      'follows a rule that asks',
      command('session'),
      { rules: [{ tool: 'Web.*', do: 'ask', lifetime: 'session' }] },
      'ask',
      'session',
    ],
    [
      'prefers a rule that denies, also to a more specific one',
      command('session', 'https://named.example/', 'secrets/key'),
      {
        rules: [
          { tool: 'Web.*', do: 'deny' },
          { tool: 'Web.do', path: '/secrets/**', do: 'allow' },
        ],
      },
      'deny',
      'once',
    ],
    [
      'follows a rule in place of the rule of two',
      command('egress-write'),
      { ...UNTRUSTED, ...PRIVATE, rules: [{ tool: 'Web.do', do: 'allow' }] },
      'allow',
      'once',
    ],
    [
      'applies a rule about the application to an address that a tool may complete',
      command('egress-read', '/api'),
      {
        ownOrigin: 'https://app.example',
        rules: [{ tool: 'Web.*', origin: 'https://app.example', do: 'deny' }],
      },
      'deny',
      'once',
    ],
    [
      'ignores a rule for another role',
      command('session'),
      { rules: [{ tool: '*', role: 'Other', do: 'deny' }] },
      'allow',
      'once',
    ],
  ])('%s', (_title, checked, situation, decision, lifetime) => {
    expect(judge(checked, { ...SITUATION, ...situation })).toMatchObject({ decision, lifetime });
  });

  it('returns the reason and the place', () => {
    expect(judge(command('egress-write'), { ...SITUATION, ...UNTRUSTED, ...PRIVATE })).toEqual({
      decision: 'ask',
      why: 'it changes something outside of the session; it has read https://evil.example; it has read private data',
      lifetime: 'once',
      origin: 'https://named.example',
      path: null,
      reach: 'write',
      knowsPrivate: true,
    });
  });
});

describe('judgeFiles', () => {
  const touched = { read: ['/a'], changed: ['/b'], overwritten: [{ path: '/b', untrusted: [] }] };

  it.each<[title: string, Partial<Situation>, wasAsked: boolean, decisions: string[]]>([
    ['decides nothing without rules and capabilities', {}, false, []],
    ['asks for the files of a rule', { rules: [{ tool: '*', path: '/a', do: 'ask' }] }, true, ['ask']],
    ['denies a file that may not be written', { capabilities: { write: ['/docs/**'] } }, false, ['deny']],
    ['allows a change of a file of the user', { capabilities: {} }, false, []],
    ['asks before one after untrusted content was read', { untrusted: ['a site'] }, false, ['ask']],
    ['lets an approval of the command cover its files', { rules: [{ tool: 'Web.do', do: 'ask' }] }, true, []],
  ])('%s', (_title, situation, wasAsked, decisions) => {
    const judged = judgeFiles(command('session'), { ...SITUATION, ...situation }, touched, wasAsked);
    expect(judged.map(({ decision }) => decision)).toEqual(decisions);
  });
});
