import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { defineTool } from '../../../src/core/define-tool.js';
import type { Tool } from '../../../src/core/tool.js';
import { ToolRecommender } from '../../../src/tools/recommend.js';
import { ToolRegistry } from '../../../src/tools/registry.js';
import { resolveTools } from '../../../src/tools/resolve-tools.js';
import { wordsOf } from '../../../src/memory/words.js';

const tool = (
  name: string,
  description: string,
  args: Record<string, z.ZodType> = {},
  tags: string[] = [],
): Tool => defineTool({ name, description, input: z.object(args), tags, run: () => undefined });

const FILL = tool('Data.fill', 'Completing missing values with simple strategies.');
const EXPAND = tool('Data.expand', 'Add polynomial features for feature engineering, new features.');
const SCRAPE = tool('Web.scrape', 'Read the text of a page.', {
  url: z.string().describe('The address to open in the browser'),
});
const END = tool('end', 'Stop.');
const DATA = [FILL, EXPAND, SCRAPE];

const names = (tools: readonly Tool[]) => tools.map(({ name }) => name);

/** Tools named after numbers, each of which matches the word "number". */
const NUMBERS = Array.from({ length: 30 }, (_, index) => tool(`Number.n${index}`, 'A number.'));

describe('recalling tools', () => {
  test('A-162 lists the matching tool first, and returns all when asked for more than exist', () => {
    const recommender = new ToolRecommender(new ToolRegistry(DATA));
    const query = 'conduct feature engineering, add new features';
    expect(names(recommender.recall(query, 1))).toEqual(['Data.expand']);
    expect(names(recommender.recall(query, 20))).toEqual(['Data.expand', 'Data.fill', 'Web.scrape']);
    const two = new ToolRecommender(new ToolRegistry([FILL, EXPAND]));
    expect(names(two.recall(query))).toEqual(['Data.expand', 'Data.fill']);
  });

  test('searches names, arguments and tags, ignoring case', () => {
    const paint = tool('Draw.fillShape', 'Colour it.', { pen_width: z.number() }, ['canvas']);
    const recommender = new ToolRecommender(new ToolRegistry([...DATA, paint]));
    expect(names(recommender.recall('SHAPE', 1))).toEqual(['Draw.fillShape']);
    expect(names(recommender.recall('Width?', 1))).toEqual(['Draw.fillShape']);
    expect(names(recommender.recall('canvas', 1))).toEqual(['Draw.fillShape']);
    expect(names(recommender.recall('which address', 1))).toEqual(['Web.scrape']);
  });

  test('A-164 is empty when built from only unknown tools', async () => {
    const recommender = new ToolRecommender(new ToolRegistry(resolveTools(DATA, ['Nope', 'Nor:this']).tools));
    expect(recommender.recall('feature', 5)).toEqual([]);
    expect(await recommender.recommend({ task: 'feature' })).toEqual([]);
    expect(await recommender.recommend({ force: true })).toEqual([]);
  });

  test('finds a tool that is registered later', () => {
    const registry = new ToolRegistry(DATA);
    const recommender = new ToolRecommender(registry);
    expect(names(recommender.recall('sing a song', 1))).toEqual(['Data.fill']); // Nothing matches, and it is the first.
    registry.register(tool('Music.sing', 'Sing a song.'));
    expect(names(recommender.recall('sing a song', 1))).toEqual(['Music.sing']);
  });
});

describe('recommending tools', () => {
  test('searches by the task, else the context; returns all tools with neither, or on request', async () => {
    const recommender = new ToolRecommender(new ToolRegistry(DATA));
    const recommend = async (request?: Parameters<ToolRecommender['recommend']>[0]) =>
      names(await recommender.recommend(request));
    expect(await recommend({ task: 'add features', context: 'read a page', topk: 1 })).toEqual([
      'Data.expand',
    ]);
    expect(await recommend({ task: ' ', context: 'read a page', topk: 1 })).toEqual(['Web.scrape']);
    expect(await recommend({ task: 'add features', force: true, topk: 1 })).toEqual(names(DATA));
    expect(await recommend()).toEqual(names(DATA));
    expect(await recommend({ context: '', task: '' })).toEqual(names(DATA));
  });

  test('always includes core tools, in addition to the limit', async () => {
    const recommender = new ToolRecommender(new ToolRegistry([...DATA, END]), {
      core: ['end', 'Data:expand'],
    });
    expect(names(await recommender.recommend({ task: 'add features or values', topk: 1 }))).toEqual([
      'end',
      'Data.expand',
      'Data.fill',
    ]);
  });

  test('lets a model choose among the twenty hits, up to the limit', async () => {
    const prompts: string[] = [];
    const recommender = new ToolRecommender(new ToolRegistry(NUMBERS), {
      rank: async (prompt) => {
        prompts.push(prompt);
        return ['Number.n7', 'Number.n25', 'Number.n3', 'Number.n1'];
      },
    });
    // n25 was not found among the first twenty: it cannot be chosen.
    expect(names(await recommender.recommend({ task: 'number', topk: 2 }))).toEqual([
      'Number.n7',
      'Number.n3',
    ]);
    expect(prompts[0]?.match(/^- Number\.n\d+: A number\.$/gm)).toHaveLength(20);
    expect(prompts[0]).toContain('<work>\nnumber\n</work>');
  });

  test.each([
    ['a list in an object', { tools: ['Number.n4'] }, ['Number.n4']],
    ['a class', ['Number'], ['Number.n0', 'Number.n1']],
    ['an empty list', [], []],
    ['an unreadable text', undefined, ['Number.n0', 'Number.n1']],
    ['a sentence', 'Number.n4', ['Number.n0', 'Number.n1']],
    ['an empty object', {}, ['Number.n0', 'Number.n1']],
    ['only unknown names', ['Nope', 5, null], ['Number.n0', 'Number.n1']],
  ])('a reply that is %s', async (_, reply, expected) => {
    const recommender = new ToolRecommender(new ToolRegistry(NUMBERS), { rank: async () => reply });
    expect(names(await recommender.recommend({ task: 'number', topk: 2 }))).toEqual(expected);
  });

  test('calls the model once per task and tool set, and not for few tools', async () => {
    let asked = 0;
    const registry = new ToolRegistry(NUMBERS);
    const recommender = new ToolRecommender(registry, {
      rank: async () => {
        asked += 1;
        return ['Number.n1'];
      },
    });
    const counts: number[] = [];
    const recommend = async (task: string, topk = 5) => {
      await recommender.recommend({ task, topk });
      counts.push(asked);
    };
    await recommend('number');
    await recommend('number');
    await recommend('another number');
    registry.register(END);
    await recommend('another number');
    await recommend('another number', 20);
    expect(counts).toEqual([1, 1, 2, 3, 3]);
  });

  test('stores nothing when the model fails', async () => {
    const replies = [new Error('offline'), ['Number.n2']];
    const recommender = new ToolRecommender(new ToolRegistry(NUMBERS), {
      rank: async () => {
        const reply = replies.shift();
        if (reply instanceof Error) throw reply;
        return reply;
      },
    });
    await expect(recommender.recommend({ task: 'number' })).rejects.toThrow('offline');
    expect(names(await recommender.recommend({ task: 'number' }))).toEqual(['Number.n2']);
  });
});

describe('tokenizing', () => {
  test('splits names, numbers and languages without spaces into words', () => {
    expect(wordsOf("Editor.appendFile append_file HTTPServer2 don't")).toEqual([
      'editor',
      'append',
      'file',
      'append',
      'file',
      'http',
      'server',
      '2',
      "don't",
    ]);
    expect(wordsOf('ÉCOLE Größe ﬁnd')).toEqual(['école', 'größe', 'find']);
    expect(wordsOf('写一个网页')).toEqual(['写', '一个', '网页']);
    expect(wordsOf('  …!? ')).toEqual([]);
  });
});
