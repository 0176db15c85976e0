import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ChatMessage, ChatRequest } from '../../src/core/model.js';
import { nativeTools } from '../../src/agent/prompt/reply-form.js';
import { editor } from '../../src/tools/editor/editor.js';
import { PROMPTS } from '../../src/agent/prompt/prompts.js';
import {
  changedLine,
  countTokens,
  fiftySteps,
  STEPS,
  textOf,
  tokensOf,
  twentyCommands,
} from './fifty-steps.js';
import { formerTasks, type Tasks } from './former-tasks.js';

/** Cost of one task's prompts for an engine. */
export interface Cost {
  calls: number;
  prompt: number;
  /**
   * Tokens to read for an engine that caches a conversation only if it continues with exactly one new message
   * (web-llm).
   */
  prefill: number;
  /** The same for an engine that caches any common prefix (llama.cpp, most servers). */
  prefillByPrefix: number;
}

export interface PromptCost {
  contextWindow: number;
  status: string;
  overflows: number;
  compactions: number;
  ours: Cost;
  /** The same steps with MetaGPT's prompts and an unlimited window. */
  original: Cost;
  /** Calls and prompt tokens of a plain loop of tool calls, which adds each call and its result, with an unlimited window. */
  plain: Pick<Cost, 'calls' | 'prompt'>;
  /** The share of repeated tokens in prompts that follow another one without a compaction. */
  repeatedBetweenCompactions: number;
  /** Prompt tokens per call. */
  perCall: { purpose: string; prompt: number; prefill: number; original: number }[];
}

/** Measures the scripted task of fifty steps, or more. `run`: that of another checkout. */
export async function promptCost(
  contextWindow: number,
  steps = STEPS,
  run: typeof fiftySteps = fiftySteps,
): Promise<PromptCost> {
  const { requests, memory, outcome, overflows } = await run(contextWindow, 'full', steps);
  const ours = costOf(requests);
  const before = originalPrompts(requests, memory);
  const original = costOf(before);
  let repeated = 0;
  let all = 0;
  for (const [index, { prompt, prefill }] of ours.perCall.entries()) {
    // Nothing before it, or a compaction: the request for the summary, and the prompt that begins with it.
    if (index === 0 || prefill === prompt || requests[index]?.purpose === 'compact') continue;
    repeated += prompt - prefill;
    all += prompt;
  }
  return {
    contextWindow,
    status: outcome.status,
    overflows,
    compactions: requests.filter(({ messages }) => wasCompacted(messages)).length,
    ours: ours.cost,
    original: original.cost,
    plain: plainToolCalls(memory),
    repeatedBetweenCompactions: all === 0 ? 0 : repeated / all,
    perCall: ours.perCall.map(({ prompt, prefill }, index) => ({
      purpose: requests[index]?.purpose ?? '',
      prompt,
      prefill,
      original: original.perCall[index]?.prompt ?? 0,
    })),
  };
}

/** The cost of the same commands in a loop that sends its tools and messages, and nothing of its own between them. */
function plainToolCalls(memory: readonly { role: string; content: string }[]): PromptCost['plain'] {
  const { specs } = nativeTools(editor(), {
    most: Infinity,
    describe: ({ description }) => description,
    isBrief: false,
  });
  let size = tokensOf({ messages: [{ role: 'system', content: 'You are a helpful assistant.' }] });
  size += countTokens(JSON.stringify(specs));
  const cost = { calls: 0, prompt: 0 };
  for (const { role, content } of memory) {
    if (role === 'assistant') {
      cost.calls += 1;
      cost.prompt += size;
    }
    size += tokensOf({ messages: [{ role: 'user', content }] });
  }
  return cost;
}

function wasCompacted(messages: readonly ChatMessage[]): boolean {
  return textOf(messages.at(-1)?.content).startsWith('Earlier parts of this conversation were left out');
}

interface Measured {
  cost: Cost;
  perCall: { prompt: number; prefill: number }[];
}

function costOf(requests: readonly Pick<ChatRequest, 'messages'>[]): Measured {
  const cost: Cost = { calls: requests.length, prompt: 0, prefill: 0, prefillByPrefix: 0 };
  let last: readonly ChatMessage[] = [];
  const perCall = requests.map((request) => {
    const { messages } = request;
    const prompt = tokensOf(request);
    const goesOn =
      messages.length === last.length + 2 && last.every((message, at) => isSame(message, messages[at]));
    // The reply between the two comes from the engine itself, which has read it already.
    const read = goesOn ? tokensOf({ messages: messages.slice(0, -1) }) : 0;
    cost.prompt += prompt;
    cost.prefill += prompt - read;
    cost.prefillByPrefix += prompt - commonTokens(last, messages);
    last = messages;
    return { prompt, prefill: prompt - read };
  });
  return { cost, perCall };
}

function isSame(one: ChatMessage, other: ChatMessage | undefined): boolean {
  return one.role === other?.role && one.content === other.content;
}

/** Tokens of the common prefix of two prompts, including the reply after the first. */
function commonTokens(before: readonly ChatMessage[], messages: readonly ChatMessage[]): number {
  const at = before.findIndex((message, index) => !isSame(message, messages[index]));
  if (at < 0)
    return tokensOf({ messages: messages.slice(0, Math.min(messages.length - 1, before.length + 1)) });
  const one = textOf(before[at]?.content);
  const other = textOf(messages[at]?.content);
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return tokensOf({ messages: messages.slice(0, at) }) + countTokens(one.slice(0, same));
}

/**
 * The same calls as the original makes them: system prompt, the whole memory as messages, editor observations
 * shortened to one line except for the newest five, and as last message the whole command prompt with state, plan and
 * task. Classification, language detection and the closing text are separate conversations with the same memory.
 */
function originalPrompts(
  requests: readonly ChatRequest[],
  memory: readonly { role: string; content: string }[],
): Pick<ChatRequest, 'messages'>[] {
  let known = 1; // the request itself
  return requests
    .filter(({ purpose }) => purpose !== 'compact')
    .map(({ purpose, messages }) => {
      const system = messages[0]?.role === 'system' ? textOf(messages[0].content) : '';
      const past = trimmed(memory.slice(0, known));
      if (purpose !== 'think') return { messages: [...past, { role: 'user', content: PROMPTS.summary }] };
      known += 2; // its reply and the result
      return {
        messages: [
          { role: 'system', content: system },
          ...past,
          { role: 'user', content: commandPrompt(known) },
        ],
      };
    });
}

function trimmed(memory: readonly { role: string; content: string }[]): ChatMessage[] {
  const observed = memory.flatMap(({ content }, at) =>
    /Command Editor\.\w+ executed/.test(content) ? [at] : [],
  );
  const old = new Set(observed.slice(0, -5));
  return memory.map(({ role, content }, at) => ({
    role: role === 'assistant' ? 'assistant' : 'user',
    content: old.has(at) ? content.replace(/(Command Editor\.\w+ executed)[\s\S]*/, '$1.') : content,
  }));
}

/**
 * As long as the original's, whose text we must not copy: its advice, and a plan of three tasks that changes as the
 * work continues.
 */
function commandPrompt(step: number): string {
  return [
    `# Current State\nThe current time is 2026-01-01 00:${String(step % 60).padStart(2, '0')}:00.`,
    `# Current Plan\n[GOAL] the page of a small shop\n[Plan]\n[TASK_ID 1] ()Write the parts\n[TASK_ID 2] ()Write more\n[TASK_ID 3] ()Write the rest`,
    `# Current Task\n{"task_id": "1", "instruction": "Write the parts"}`,
    PROMPTS.replyFormat,
    PROMPTS.roleInstruction,
  ].join('\n\n');
}

/** Steps of the longer tasks, which fill a common window of hosted models. */
const LONG_TASKS = [100, 500];
const LONG_WINDOW = 131_072;
const WINDOWS = [4_096, 8_192, 16_384, 32_768, 131_072];

/** A figure that is measured for another checkout, too. */
export interface ComparedFigure {
  what: string;
  goal: number;
  unit: string;
  /** True when lower figures are better. */
  most: boolean;
  value: number;
  /** Null without another checkout. */
  before: number | null;
}

type Figure = Omit<ComparedFigure, 'before'>;
type LongCost = PromptCost & { steps: number };

function longCosts(run: typeof fiftySteps): Promise<LongCost[]> {
  return Promise.all(
    LONG_TASKS.map(async (steps) => ({ steps, ...(await promptCost(LONG_WINDOW, steps, run)) })),
  );
}

/** Returns the figures of the tasks of this or another checkout, always in the same order. */
async function figuresOf(
  { twentyCommands: twenty, changedLine: change }: Tasks,
  long: readonly LongCost[],
): Promise<Figure[]> {
  const times = { unit: '×', most: true };
  const count = { unit: '', most: true };
  const ofLong = long.flatMap(({ steps, ours, plain }): Figure[] => {
    const relative = `${steps} steps, relative to a plain loop of tool calls`;
    const repeated = 100 * (1 - ours.prefillByPrefix / ours.prompt);
    return [
      { what: `calls, ${relative}`, goal: 1.02, ...times, value: ours.calls / plain.calls },
      { what: `prompt tokens, ${relative}`, goal: 1.2, ...times, value: ours.prompt / plain.prompt },
      {
        what: `prompt tokens that repeat the prompt before, ${steps} steps`,
        goal: 98,
        unit: '%',
        most: false,
        value: repeated,
      },
    ];
  });
  const longest = long.at(-1);
  return [
    ...ofLong,
    {
      what: `compactions, ${longest?.steps} steps`,
      goal: 1,
      ...count,
      value: longest?.compactions ?? NaN,
    },
    {
      what: 'tokens of the observation after a changed line of a file of 1,000 lines',
      goal: 200,
      ...count,
      value: await change(),
    },
    {
      what: 'calls of a task of twenty commands',
      goal: 21,
      ...count,
      value: (await twenty()).requests.length,
    },
  ];
}

async function comparedFigures(
  long: readonly LongCost[],
  checkout: string | undefined,
): Promise<ComparedFigure[]> {
  const now = await figuresOf({ fiftySteps, twentyCommands, changedLine }, long);
  const tasks = checkout === undefined ? null : await formerTasks(checkout);
  const former = tasks === null ? [] : await figuresOf(tasks, await longCosts(tasks.fiftySteps));
  return now.map((figure, index) => ({ ...figure, before: former[index]?.value ?? null }));
}

/**
 * Prints the output of `npm run bench:prompt` and stores it for the table of all benchmarks. `--before PATH`: another checkout of this
 * repository, whose figures are measured in the same run.
 */
export async function main(args: readonly string[] = []): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { before: { type: 'string' } } });
  const costs = await Promise.all(WINDOWS.map((window) => promptCost(window)));
  const rows = costs.map(
    ({ contextWindow, ours, original, compactions, overflows, repeatedBetweenCompactions }) => ({
      window: contextWindow,
      calls: ours.calls,
      compactions,
      overflows,
      'prompt tokens': ours.prompt,
      'repeated between compactions': percent(repeatedBetweenCompactions),
      'repeated in all': percent(1 - ours.prefill / ours.prompt),
      prefill: ours.prefill,
      "original's prefill": original.prefill,
      'of it': percent(ours.prefill / original.prefill),
      "original's, engine keeps any prefix": original.prefillByPrefix,
      'ours there': ours.prefillByPrefix,
    }),
  );
  const costsOfLong = await longCosts(fiftySteps);
  const long = costsOfLong.map(({ steps, ours, plain, compactions }) => ({
    steps,
    calls: ours.calls,
    'calls of a plain loop': plain.calls,
    compactions,
    'prompt tokens': ours.prompt,
    'prompt tokens of a plain loop': plain.prompt,
    ratio: (ours.prompt / plain.prompt).toFixed(2),
    'repeated, which servers cache': percent(1 - ours.prefillByPrefix / ours.prompt),
  }));
  console.log(`A scripted task of ${STEPS} steps: what its prompts cost an engine, in tokens.\n`);
  console.table(rows);
  console.log('Longer tasks, window 131,072, beside a plain loop of tool calls.\n');
  console.table(long);
  const compared = await comparedFigures(costsOfLong, values.before);
  console.table(compared);
  const folder = new URL('../../docs/benchmarks/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    new URL('prompt.json', folder),
    `${JSON.stringify({ steps: STEPS, rows, long, compared }, null, 2)}\n`,
  );
  const wide = costs.at(-1);
  console.log(
    `Tokens call by call, window ${wide?.contextWindow}: prompt, of it to be read, the original's prompt`,
  );
  for (const [index, { purpose, prompt, prefill, original }] of (wide?.perCall ?? []).entries())
    console.log(
      `${String(index + 1).padStart(3)} ${purpose.padEnd(9)} ${String(prompt).padStart(7)} ${String(prefill).padStart(6)} ${String(original).padStart(7)}`,
    );
  return 0;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
