import * as z from 'zod';
import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { TeamLeader } from '../../../src/team/team-leader.js';
import type { PolicyRule } from '../../../src/agent/policy/policy.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../src/agent/runtime/role-zero-options.js';
import { Session, type SessionOptions } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

const read = defineTool({
  name: 'Web.read',
  description: 'Reads a page.',
  input: z.object({ url: z.string() }),
  aliases: { link: 'url' },
  address: 'url',
  effect: 'egress-read',
  run: () => '',
});
const post = defineTool({ ...read, name: 'Web.post', input: z.looseObject({ url: z.string() }) });
const model = scriptedModel({});
const tools = [...editor(), read, post];

const deny = (rule: Partial<PolicyRule>): PolicyRule => ({ tool: '*', do: 'deny', ...rule });
const role = (options: RoleZeroOptions) => new RoleZero({ model, tools, ...options });

/** The warnings when a session opens. */
async function opened(team: Pick<SessionOptions, 'leader' | 'roles'>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  const session = await Session.open({
    storage: memoryStorage(),
    name: 'idle',
    askUser: null,
    emit: (event) => events.push(event),
    ...team,
  });
  await session.close();
  return events.filter(({ type }) => type === 'warning');
}

/** The text about each rule, from a single warning. */
async function idle(team: Pick<SessionOptions, 'leader' | 'roles'>): Promise<unknown> {
  const warnings = await opened(team);
  expect(warnings.length).toBeLessThanOrEqual(1);
  const [warning] = warnings;
  return warning?.type === 'warning' ? warning.detail['rules'] : [];
}

it('reports rules that match no command in one warning when the session opens', async () => {
  const policy = [deny({ tool: 'Editor.wirte', path: '/secrets/**' }), deny({ tool: 'Editor.write' })];
  const warnings = await opened({
    roles: [role({ policy, capabilities: { outside: ['Web.*', 'Mail.*'] } })],
  });
  const first = '{"tool":"Editor.wirte","do":"deny","path":"/secrets/**"} (did you mean Editor.write?)';
  expect(warnings).toEqual([
    {
      type: 'warning',
      code: 'invalid',
      message: `These rules match no command of the roles that have them, so they have no effect: ${first}; capabilities.outside "Mail.*". Check the names of commands, roles and arguments; only commands with an address have an origin.`,
      detail: { rules: [first, 'capabilities.outside "Mail.*"'] },
    },
  ]);
});

it('reports unknown roles, arguments and addresses as well', async () => {
  const wrong = [
    deny({ role: 'Zreo' }),
    deny({ tool: 'Editor.write', args: { pth: '*' } }),
    deny({ tool: 'Editor.*', origin: 'https://evil.test' }),
  ];
  expect(await idle({ roles: [role({ policy: wrong })] })).toEqual(wrong.map((rule) => JSON.stringify(rule)));
});

it('reports nothing that may match: wildcards, other names, any argument name', async () => {
  const policy = [
    deny({}),
    deny({ tool: 'Edit*' }),
    deny({ tool: 'ask_human' }),
    deny({ role: 'Z*', tool: 'end' }),
    deny({ tool: 'Editor.write', args: { path: '/a', content: '*' } }),
    deny({ tool: 'Web.read', args: { link: '*' } }),
    deny({ tool: 'Web.post', args: { anything: '*' } }),
    deny({ tool: '*', origin: 'https://evil.test' }),
    deny({ tool: '*', args: { url: '*' } }),
  ];
  expect(
    await idle({ roles: [role({ policy, capabilities: { outside: ['*', 'Web.post', 'ask_human'] } })] }),
  ).toEqual([]);
  expect(await idle({ roles: [role({})] })).toEqual([]);
});

it('considers commands that were added after the role was created', async () => {
  const late = role({ policy: [deny({ tool: 'Late.run' })] });
  late.registry.register(defineTool({ ...read, name: 'Late.run' }));
  expect(await idle({ roles: [late] })).toEqual([]);
});

it("matches a shared rule for any role, and a role's rule for that role", async () => {
  const policy = [deny({ tool: 'Web.read' }), deny({ role: 'Rita', tool: 'Editor.write' })];
  const leader = new TeamLeader({ model, policy });
  expect(await idle({ leader, roles: [role({ name: 'Rita', policy })] })).toEqual([]);
  expect(await idle({ leader, roles: [role({ name: 'Rita' })] })).toEqual([
    '{"tool":"Web.read","do":"deny"}',
    '{"tool":"Editor.write","do":"deny","role":"Rita"}',
  ]);
});
