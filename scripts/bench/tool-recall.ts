import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { defineTool } from '../../src/core/define-tool.js';
import type { Tool } from '../../src/core/tool.js';
import { WordRanking } from '../../src/memory/lexical-index.js';
import { wordsOf } from '../../src/memory/words.js';
import { ToolRecommender } from '../../src/tools/recommend.js';
import { ToolRegistry } from '../../src/tools/registry.js';
import { mean } from './conversation-recall.js';

export interface ToolResult {
  in: number;
  out: number;
  lexicalIn: number;
  lexicalOut: number;
}

const FOUND = 5;

const described = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.string()).default({}),
});
const asked = z.object({ query: z.string(), domain: z.enum(['in', 'out']), tools: z.array(z.string()) });

/** The share of needed tools among the first five recommended ones, on average. */
export async function measureTools(toolsPath: string, queriesPath: string): Promise<ToolResult> {
  const descriptions = linesOf(toolsPath).map((line) => described.parse(line));
  const queries = linesOf(queriesPath).map((line) => asked.parse(line));
  const names = new Map(descriptions.map(({ name }) => [commandName(name), name])); // Some names do not exist here.
  const recommender = new ToolRecommender(new ToolRegistry(descriptions.map(toolOf)));
  const lexical = new WordRanking(
    descriptions.map(({ name, description, parameters }) =>
      wordsOf([name, description, ...Object.entries(parameters).flat()].join('\n')),
    ),
  );
  const found = { in: [] as number[], out: [] as number[] };
  const foundByWords = { in: [] as number[], out: [] as number[] };
  for (const { query, domain, tools } of queries) {
    const recommended = await recommender.recommend({ task: query, topk: FOUND });
    found[domain].push(
      share(
        tools,
        recommended.flatMap(({ name }) => names.get(name) ?? []),
      ),
    );
    const places = lexical.search(wordsOf(query), FOUND);
    foundByWords[domain].push(
      share(
        tools,
        places.flatMap((place) => descriptions[place]?.name ?? []),
      ),
    );
  }
  return {
    in: mean(found.in),
    out: mean(found.out),
    lexicalIn: mean(foundByWords.in),
    lexicalOut: mean(foundByWords.out),
  };
}

function share(wanted: readonly string[], found: readonly string[]): number {
  return mean(wanted.map((name) => (found.includes(name) ? 1 : 0)));
}

function toolOf({ name, description, parameters }: z.infer<typeof described>): Tool {
  const input = z.object(
    Object.fromEntries(
      Object.entries(parameters).map(([key, about]) => [key, z.string().optional().describe(about)]),
    ),
  );
  return defineTool({ name: commandName(name), description, input, run: () => undefined });
}

function commandName(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_').replace(/^[^A-Za-z]+/, '');
}

function linesOf(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line));
}
