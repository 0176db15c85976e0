import { describe, expect, it } from 'vitest';
import type { Experience } from '../../../src/core/experience.js';
import {
  formatExperiences,
  roleZeroContextBuilder,
  roleZeroSerializer,
  simpleSerializer,
} from '../../../src/experience/texts.js';
import { newExperience } from '../../../src/experience/experience.js';
import {
  DummyExpRetriever,
  KeywordExpRetriever,
  SimpleExpRetriever,
} from '../../../src/metagpt/retrievers.js';
import { parseCommands } from '../../../src/agent/parse/commands.js';

const experience = (req: string, resp: string, val?: number): Experience =>
  newExperience({ req, resp, ...(val === undefined ? {} : { metric: { score: { val, reason: '' } } }) }, 0);

describe('serializers', () => {
  it('A-233 a request of RoleZero contains its Editor.read results, then the state', () => {
    const read = 'Command Editor.read executed: file_path: /a.txt\nblock_content:\n001|hi';
    const req = [
      { role: 'user', content: 'write a page' },
      { role: 'user', content: read },
      { role: 'assistant', content: 'thinking' },
      { role: 'user', content: [{ type: 'image', url: `data:${read}` }] },
      { role: 'user', content: 'Command Editor.read failed' },
    ];
    const stateData = { plan_status: 'p', current_task: 't', instruction: 'i' };
    expect(JSON.parse(roleZeroSerializer.serializeReq({ req, stateData }))).toEqual([
      { role: 'user', content: read },
      { role: 'user', content: stateData },
    ]);
  });

  it('A-233 an empty request is an empty text', () => {
    expect(roleZeroSerializer.serializeReq({ req: [], stateData: { plan_status: 'p' } })).toBe('');
  });

  it('keeps strings and serializes other values as JSON', () => {
    expect([
      simpleSerializer.serializeReq({ req: 'text' }),
      simpleSerializer.serializeReq({ req: { a: [1] } }),
      simpleSerializer.serializeReq({ req: () => 1 }),
      simpleSerializer.serializeResp(7),
      simpleSerializer.deserializeResp('7'),
    ]).toEqual(['text', '{"a":[1]}', '', '7', '7']);
  });
});

describe('context', () => {
  it('numbers experiences', () => {
    expect(formatExperiences([experience('a', 'A', 9), experience('b', 'B')])).toBe(
      '1. Given the request: a, We can get the response: A, which scored: 9.\n' +
        '2. Given the request: b, We can get the response: B, which scored: N/A.',
    );
    expect(formatExperiences([experience('long request', 'long response', 9)], 4)).toBe(
      '1. Given the request: long…, We can get the response: long…, which scored: 9.',
    );
  });

  const prompt = '# Past Experience\n<experience>\n\n# Current Plan\nnone';
  const first = { role: 'user', content: 'the tag is <experience>' };

  it('replaces the placeholder in the last message', () => {
    const req = [first, { role: 'user', content: prompt }];
    const built = roleZeroContextBuilder.build(req, [experience('$&', "$'", 9)]);
    expect(built).toEqual([
      first,
      {
        role: 'user',
        content:
          "# Past Experience\n1. Given the request: $&, We can get the response: $', which scored: 9.\n\n# Current Plan\nnone",
      },
    ]);
    expect(req[1]?.content).toBe(prompt);
  });

  it('R-120 removes the section and its heading without experiences', () => {
    const build = (content: string) => roleZeroContextBuilder.build([first, { role: 'user', content }], []);
    expect(build(prompt)).toEqual([first, { role: 'user', content: '# Current Plan\nnone' }]);
    expect(build('See <experience> here')).toEqual([first, { role: 'user', content: 'See  here' }]);
    expect(build('# A\ntext\n# Past Experience\n  <experience>  ')).toEqual([
      first,
      { role: 'user', content: '# A\ntext\n' },
    ]);
    expect(roleZeroContextBuilder.build([], [])).toEqual([]);
  });
});

describe('retrievers of examples', () => {
  const keyword = new KeywordExpRetriever();

  it('the dummy returns none, the simple one always those of a leader', () => {
    expect(new DummyExpRetriever().retrieve()).toBe('');
    expect(new SimpleExpRetriever().retrieve()).toContain('Plan.append_task');
    expect(new SimpleExpRetriever('mine').retrieve()).toBe('mine');
  });

  it('the first keyword of the context decides, ignoring case', () => {
    const about = (context: string) =>
      /^Example: a user asks (.*)/.exec(keyword.retrieve(context))?.[1] ?? '';
    expect(about('DEPLOY it and fix the issue')).toBe('to deploy the site in /site.');
    expect(about('fix the Issue at https://example.com')).toMatch(/^to fix an issue/);
    expect(about('open HTTPS://example.com')).toBe('what a page says.');
    expect(about('open http://example.com and click')).toMatch(/^to search a site/);
    expect(about('search for lamps')).toMatch(/^to search a site/);
    expect(about('click the button')).toBe('');
  });

  it('every example is written as a reply can be written', () => {
    const texts = ['deploy', 'issue', 'http:', 'search'].map((context) => keyword.retrieve(context));
    for (const text of [...texts, new SimpleExpRetriever().retrieve()]) {
      for (const block of text.match(/```json\n[\s\S]*?```/g) ?? []) {
        expect(parseCommands(block)).toMatchObject({ ok: true, repaired: false });
      }
      expect(text.match(/```json/g)?.length).toBeGreaterThan(0);
    }
  });
});
