import { readFileSync } from 'node:fs';
import { expect, describe, it } from 'vitest';
import { LEGACY_NAMES } from '../../../src/agent/commands/role-commands.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { Tool } from '../../../src/core/tool.js';
import { runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/editor/editor.js';
import { terminal } from '../../../src/tools/terminal/index.js';

interface Call {
  name: string;
  args: Record<string, unknown>;
}

/** A reply, and what a reader takes it to mean: calls, or nothing that may run. `also` accepts advice in place of the calls. */
interface OddReply {
  id: string;
  reply: string;
  want: Call[] | 'none';
  also?: string[];
}

const read = (name: string): OddReply[] =>
  JSON.parse(readFileSync(new URL(`../../corpus/${name}`, import.meta.url), 'utf8')) as OddReply[];
const REPLIES = [...read('odd-replies.json'), ...read('odd-replies-more.json')];
const END = '[{"command_name": "end", "args": {}}]';

/** The commands that ran of a reply, with their arguments after the check. The tools themselves only record. */
async function meaning(reply: string): Promise<Call[]> {
  const inputs: Call['args'][] = [];
  const recording = (tool: Tool): Tool => ({
    ...tool,
    run: (input) => {
      inputs.push(input as Call['args']);
      return 'ok';
    },
  });
  const tools = [...editor(), ...terminal()].map(recording);
  const model = scriptedModel({ think: [reply, END], regenerate: END, repair: 'No.' });
  const { events } = await runRole(
    new RoleZero({ name: 'Zero', model, tools, maxSteps: 2, callPlan: 'classic' }),
    'Build /a.txt',
  );
  const calls: Call[] = [];
  for (const event of events) {
    if (event.type === 'step-end') break;
    if (event.type !== 'command-end' || !event.ok) continue;
    const isRecorded = /^(?:Editor|Terminal)\./.test(event.name);
    calls.push({
      name: LEGACY_NAMES[event.name] ?? event.name,
      args: isRecorded ? (inputs.shift() ?? {}) : event.args,
    });
  }
  return calls;
}

/** Whether the calls are those wanted; arguments that are not mentioned have their defaults. */
function isAsWanted(calls: readonly Call[], wanted: readonly Call[]): boolean {
  return (
    calls.length === wanted.length &&
    wanted.every(({ name, args }, at) => {
      const ran = calls[at];
      return (
        ran?.name === name &&
        Object.entries(args).every(([key, value]) => JSON.stringify(ran.args[key]) === JSON.stringify(value))
      );
    })
  );
}

describe('a reply as models write them', () => {
  it('runs as it is meant, or becomes advice', async () => {
    const wrong: string[] = [];
    const advised: string[] = [];
    let clear = 0;
    for (const { id, reply, want, also = [] } of REPLIES) {
      const calls = await meaning(reply);
      const wanted = want === 'none' ? [] : want;
      clear += want === 'none' ? 0 : 1;
      if (isAsWanted(calls, wanted)) continue;
      if (calls.length === 0) advised.push(id);
      else if (!also.some((each) => each === 'calls' || each.endsWith('-any')))
        wrong.push(`${id}: ${JSON.stringify(calls)}`);
    }
    expect(wrong).toEqual([]);
    expect(advised.length / clear, advised.join(', ')).toBeLessThanOrEqual(0.15);
  }, 60_000);
});
