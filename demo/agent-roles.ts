import { browser } from 'rolezero/tools/browser';
import { notes } from 'rolezero/notes';
import { editor } from 'rolezero/tools';
import { terminal } from 'rolezero/tools/terminal';
import {
  Engineer,
  longTermMemory,
  RoleZero,
  TeamLeader,
  type ChatModel,
  type PageSide,
  type TeamRole,
  type Tool,
  type RoleZeroOptions,
  type Team,
} from 'rolezero/worker';
import { roleNames, type AgentConfig } from './agent-config.js';
import { modelOf } from './agent-model.js';
import { RULES, TEAM_RULES } from './agent-rules.js';
import { programs } from './programs.js';
import { WINDOW_FOR_ALL_COMMANDS, WINDOW_FOR_PAGES } from './state/windows.js';

/** The commands with which a role opens a page, reads it, and finds its errors. */
const SMALL_BROWSER = new Set(['Browser.goto', 'Browser.view', 'Browser.click', 'Browser.console']);

/** The commands of a role that works alone. With a small window it has a few of the browser, and with a tiny one none: the user looks at the pages. */
export function toolsFor({ contextWindow }: Pick<ChatModel, 'contextWindow'>): Tool[] {
  const pages = browser().filter(({ name }) => {
    return contextWindow >= WINDOW_FOR_ALL_COMMANDS || SMALL_BROWSER.has(name);
  });
  return [...editor(), ...terminal(programs()), ...(contextWindow < WINDOW_FOR_PAGES ? [] : pages)];
}

/** The roles of a session. Runs in its worker. */
export async function rolesOf(config: AgentConfig, page: PageSide): Promise<TeamRole | Team> {
  const model = await modelOf(config.model, page);
  return config.team ? team(config, model) : new RoleZero({ ...single(config, model('Zero')), name: 'Zero' });
}

function team(config: AgentConfig, model: (role: string) => ChatModel): Team {
  const [leader, engineer, reviewer] = roleNames(true);
  const common = (name: string): RoleZeroOptions => ({
    model: model(name),
    policy: TEAM_RULES[config.asks],
    longTermMemory: longTermMemory({ maxMessages: config.memoryWindow, ...sharedOf(config) }),
    ...notesOf(config),
    ...budgetOf(config),
  });
  return {
    leader: new TeamLeader({ ...common(leader), name: leader }),
    roles: [
      new Engineer({
        ...common(engineer ?? ''),
        name: engineer ?? '',
        tools: [...editor(), ...terminal(programs()), ...browser()],
      }),
      new RoleZero({
        ...common(reviewer ?? ''),
        name: reviewer ?? '',
        profile: 'Reviewer',
        goal: 'review the result as a user would, and report what is missing or wrong',
        tools: [...editor(), ...browser()],
      }),
    ],
  };
}

function single(config: AgentConfig, model: ChatModel): RoleZeroOptions {
  return {
    goal: 'build what the user requests',
    model,
    tools: toolsFor(model),
    policy: RULES[config.asks],
    longTermMemory: longTermMemory({ maxMessages: config.memoryWindow, ...sharedOf(config) }),
    ...notesOf(config),
    ...budgetOf(config),
  };
}

function notesOf(config: AgentConfig): Pick<RoleZeroOptions, 'notes'> {
  return config.notes ? { notes: notes(sharedOf(config)) } : {};
}

function sharedOf({ shared }: AgentConfig): { shared?: string } {
  return shared === null ? {} : { shared };
}

function budgetOf({ tokenBudget }: AgentConfig): Pick<RoleZeroOptions, 'budget'> {
  return tokenBudget === null ? {} : { budget: { tokens: tokenBudget } };
}
