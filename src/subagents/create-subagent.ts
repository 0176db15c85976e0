import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import { requestedTemperature } from '../core/request-settings.js';
import type { Tool } from '../core/tool.js';
import { isToolSource, type ToolSource } from '../core/tool-source.js';
import { NO_GRANT, type Budget, type Spending } from '../agent/policy/budget.js';
import { RoleZero } from '../agent/role-zero.js';
import type { Agent } from '../agent/runtime/agent.js';
import type { RoleContext } from '../agent/runtime/context.js';
import { resolveTools } from '../tools/resolve-tools.js';
import type { SubagentsOptions } from './options.js';

const OWN = 'Subagent.run';
const STEPS = 20;

const INSTRUCTION = `- You are a sub-agent: another agent gave you the task, and receives nothing but your result. No user can answer you.
- Do this task alone, with as few steps as it takes. What you cannot find out or may not do, say so in the result.
- When you are done, send the result with RoleZero.reply_to_human: everything the task asks for, and the paths of files that you wrote. Then use end.`;

/** Creates the role of a sub-agent: with rules, capabilities and language of its caller, and never with more tools or a larger budget. */
export function createSubagent(agent: Agent, name: string, options: SubagentsOptions): RoleZero {
  const { settings, state } = agent;
  const { prompts, rules, capabilities, callPlan, preset } = settings;
  const { model = agent.model, steps = STEPS, budget = {}, instruction } = options;
  const role = new RoleZero({
    name,
    profile: 'Sub-agent',
    goal: 'do the task that another agent gave you',
    model,
    tools: toolsOf(agent, options.tools),
    instruction: [
      prompts.roleInstruction,
      INSTRUCTION,
      ...(instruction === undefined ? [] : [instruction]),
    ].join('\n'),
    prompts,
    callPlan,
    preset,
    policy: rules,
    maxSteps: steps,
    budget: leastOf(budget, restOf(agent)),
    ...defined({
      capabilities: capabilities ?? undefined,
      language: state.respondLanguage === '' ? undefined : state.respondLanguage,
      temperature: requestedTemperature(agent.turn().request?.metadata) ?? settings.temperature,
    }),
  });
  role.agent.caller = agent;
  role.agent.attach(contextOf(agent, role.agent));
  return role;
}

/** The context of the caller, without its team. */
function contextOf({ context }: Agent, sub: Agent): RoleContext {
  const { recorded: _, ...shared } = context;
  return {
    ...shared,
    bus: null,
    onlyApprovals: true,
    account: (store) => {
      const account = context.account?.(store) ?? null;
      return account && { ...account, spent: sumOf(account.spent, sub.turn().usage) };
    },
  };
}

/** @throws RoleZeroError `invalid` for a name of a tool that the caller does not have. */
function toolsOf({ name, given }: Agent, wanted: readonly string[] | undefined): (Tool | ToolSource)[] {
  const all = (given as readonly unknown[]).flat(Infinity) as (Tool | ToolSource)[];
  const sources = all.filter(isToolSource);
  const tools = all.filter((tool): tool is Tool => !isToolSource(tool) && tool.name !== OWN);
  if (wanted === undefined) return [...tools, ...sources];
  const chosen = sources.filter(({ group }) => wanted.includes(group));
  const groups = new Set(chosen.map(({ group }) => group));
  const found = resolveTools(
    tools,
    wanted.filter((entry) => !groups.has(entry)),
  );
  if (found.unknown.length > 0)
    throw new RoleZeroError(
      'invalid',
      `\`tools\` of subagents() names ${found.unknown.join(', ')}, which ${name} does not have.`,
      { unknown: found.unknown },
    );
  return [...found.tools, ...chosen];
}

/** Returns what is left of the budget of the current turn. */
function restOf(agent: Agent): Budget {
  const { approvals } = agent;
  const { budget } = agent.fixed;
  const { rounds } = approvals.budget ?? NO_GRANT;
  const spent = agent.turn().usage;
  return mapped(budget ?? {}, (limit, measure) => Math.max(0, limit * rounds - spent[measure]));
}

function leastOf(one: Budget, other: Budget): Budget {
  return { ...one, ...mapped(other, (limit, measure) => Math.min(limit, one[measure] ?? Infinity)) };
}

function sumOf(one: Spending, other: Spending): Spending {
  return { ...one, ...mapped(one, (amount, measure) => amount + other[measure]) };
}

function mapped(budget: Budget, change: (limit: number, measure: keyof Budget) => number): Budget {
  const measures = Object.keys(budget) as (keyof Budget)[];
  return Object.fromEntries(
    measures.map((measure) => [measure, change(budget[measure] ?? Infinity, measure)]),
  );
}
