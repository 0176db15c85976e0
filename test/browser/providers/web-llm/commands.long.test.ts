import { MLCEngine } from '@mlc-ai/web-llm';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import type { JsonSchema } from '../../../../src/core/json.js';
import { webLLM } from '../../../../src/providers/web-llm/index.js';
import { parseCommands } from '../../../../src/agent/parse/commands.js';
import { replySchema } from '../../../../src/agent/prompt/reply-form.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { runRole } from '../../../../src/testing/index.js';
import { browser } from '../../../../src/tools/browser/browser.js';
import { editor } from '../../../../src/tools/index.js';
import { ask, collect } from '../../../fault-server/collect.js';
import { saying } from '../../../tiny-model/model-files.js';
import { sized } from '../../../size.js';
import { tinyModel } from '../../../tiny-model/tiny-model.js';

type WebLLM = ReturnType<typeof webLLM>;

/** Large enough for a role's prompt in a model whose tokens are bytes. */
function wide(): WebLLM {
  const { model, appConfig } = tinyModel(inject('modelServer'));
  return webLLM({ model, appConfig, contextWindow: 65_536, maxOutputTokens: 2_000 });
}

const commands = (...list: [string, object][]) =>
  JSON.stringify({
    thought: 'On it.',
    category: 'TASK',
    commands: list.map(([command_name, args]) => ({ command_name, args })),
  });

test('a role works with the real engine: constrained to its commands, and each step reads only new messages', async () => {
  const model = wide();
  const engine = vi.spyOn(MLCEngine.prototype, 'chatCompletion'); // The engine continues to work.
  onTestFinished(() => engine.mockRestore());
  const role = new RoleZero({ name: 'Zero', model, tools: [...editor()] });
  const last = commands(['end', {}]);
  const write = commands(
    ['Editor.write', { path: '/answer.txt', content: 'It costs $& and $$5.' }],
    ['Editor.read', { path: '/next.txt' }],
  );
  const result = await runRole(role, `Write it down. ${saying(write)}`, {
    files: { '/next.txt': saying(last) }, // Its next reply, when it is part of the prompt.
  });
  expect(result.outcome.status).toBe('done');
  expect(result.files['/answer.txt']).toBe('It costs $& and $$5.');
  const thinking = result.events.filter((event) => event.type === 'usage' && event.purpose === 'think');
  const [first, second] = thinking.flatMap((event) => (event.type === 'usage' ? [event] : []));
  expect(first?.cachedPromptTokens).toBe(0);
  // The first call and its reply except for its last token, which ended it.
  expect(second?.cachedPromptTokens).toBe((first?.promptTokens ?? 0) + (first?.completionTokens ?? 0) - 1);
  expect((second?.promptTokens ?? 0) - (second?.cachedPromptTokens ?? 0)).toBeLessThan(
    (second?.promptTokens ?? 0) / 4,
  );
  // One schema text for all steps: its grammar, which takes seconds to build for a large tokenizer, is built once.
  const schemas = engine.mock.calls.flatMap(([{ response_format: format }]) => format?.schema ?? []);
  expect(schemas).toHaveLength(thinking.length);
  expect(new Set(schemas).size).toBe(1);
  await model.unload();
});

/** Number of random replies. The seeds are fixed, so the first replies are always the same. */
const REPLIES = sized(500, 350);

test(`${REPLIES} replies of random tokens, constrained to all commands of a role, can all be parsed and have arguments that the commands accept`, async () => {
  const model = wide();
  const { registry } = new RoleZero({ model, tools: [...editor(), ...browser()] });
  const schema: JsonSchema = replySchema(registry.tools, 'merged');
  const seen = new Map<string, number>();
  const wrong: string[] = [];
  let cut = 0;
  for (let seed = 1; seed <= REPLIES; seed++) {
    const { chunks, error } = await collect(
      model,
      ask({ responseSchema: schema, seed: seed * 7_919, temperature: 1, maxOutputTokens: 160 }),
    );
    const reply = chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.text : '')).join('');
    const finish = chunks.at(-1);
    if (error !== null || finish?.type !== 'finish') {
      wrong.push(`${seed}: ${error?.message ?? 'it has no end'}`);
      continue;
    }
    const parsed = parseCommands(reply);
    const isCut = finish.reason === 'length';
    if (isCut) cut += 1;
    // A reply that was cut off is retried when none of its commands is complete; what precedes the cut counts.
    if (!parsed.ok && !isCut) wrong.push(`${seed}: ${parsed.error} ${reply}`);
    if (!parsed.ok) continue;
    // The engine permits control characters in strings, which the parser repairs.
    if (!isCut && parsed.repaired && !/[^\P{Cc}\s]/u.test(reply))
      wrong.push(`${seed}: it is no JSON: ${reply}`);
    const whole = isCut && parsed.repaired ? parsed.commands.slice(0, -1) : parsed.commands;
    for (const command of whole) {
      seen.set(command.name, (seen.get(command.name) ?? 0) + 1);
      const resolved = registry.resolve(command);
      if (!resolved.ok) wrong.push(`${seed}: ${resolved.advice} ${reply}`);
    }
  }
  expect(wrong).toEqual([]);
  // Makes sure that the test has enough input: most replies are complete and contain many kinds of commands.
  expect(cut).toBeLessThan(REPLIES / 3);
  expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(REPLIES / 2);
  expect(seen.size).toBeGreaterThan(registry.tools.length / 2);
  await model.unload();
}, 900_000);
