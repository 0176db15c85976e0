import type { Remote } from 'comlink';
import { describeValue } from '../core/describe-value.js';
import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import type { Tool } from '../core/tool.js';
import { verbsOf } from '../core/activity.js';
import { checkBudget } from '../agent/policy/budget.js';
import { AgentRuntime } from '../agent/runtime/agent-runtime.js';
import { RoleZero } from '../agent/role-zero.js';
import type { TeamRole } from '../agent/runtime/work.js';
import { rolesOf, type Team } from '../session/team.js';
import type { OpenOptions, PageApi } from '../wire/protocol.js';
import { pageSide, type PageSide } from './page-models.js';
import { isPageTool, remotePageTool } from './page-tools.js';

/** Creates one role or a team for a session, from the `config` of the page and what else the page provides. */
export type CreateRoles<Config> = (
  config: Config,
  page: PageSide,
) => TeamRole | Team | Promise<TeamRole | Team>;

/**
 * Creates the roles of a session, and gives them the tools of the page.
 *
 * @throws RoleZeroError `invalid` when the application's function returns no role or a team with a wrong budget, or a page tool has the
 * name of a role's own tool.
 */
export async function makeTeam(
  create: CreateRoles<never>,
  options: OpenOptions,
  page: Remote<PageApi>,
): Promise<Team> {
  const made = await makeRoles(create, options, page);
  const team: Team = 'roles' in made ? made : { roles: [made] };
  if (team.budget !== undefined) checkBudget(team.budget);
  for (const role of rolesOf(team)) {
    if (!(role instanceof RoleZero)) continue;
    for (const descriptor of options.tools) {
      if (descriptor.part !== true) addPageTool(role, remotePageTool(descriptor, page));
    }
  }
  return team;
}

/** Returns what the commands of the roles do, such as "Writing", by their names. */
export function teamVerbs(team: Team): Record<string, string> {
  return verbsOf(rolesOf(team).flatMap((role) => (role instanceof RoleZero ? role.registry.tools : [])));
}

async function makeRoles(
  create: CreateRoles<never>,
  { config, models }: OpenOptions,
  page: Remote<PageApi>,
): Promise<TeamRole | Team> {
  let made: unknown;
  try {
    made = await create(config as never, pageSide(models, page));
  } catch (error) {
    if (config !== undefined || !(error instanceof TypeError)) throw error;
    throw new RoleZeroError(
      'invalid',
      'The function given to serve() failed, and connect() was given no `config`. Give connect({ config }) what that function reads from it.',
      {},
      error,
    );
  }
  if (
    isRecord(made) &&
    ('roles' in made ? Array.isArray(made['roles']) : made['agent'] instanceof AgentRuntime)
  )
    return made as unknown as TeamRole | Team;
  const fix = made === undefined ? ' Does it lack a `return`?' : '';
  throw new RoleZeroError(
    'invalid',
    `The function given to serve() must return a role, or a team { roles: [ … ] }, but returned ${describeValue(made)}.${fix}`,
  );
}

/** @throws RoleZeroError `invalid` when the role has its own tool with that name: the model could call only one of them. */
function addPageTool(role: RoleZero, tool: Tool): void {
  const { name } = tool;
  const own = role.registry.tools.find((known) => known.name === name);
  if (own !== undefined && !isPageTool(own))
    throw new RoleZeroError(
      'invalid',
      `The page tool ${name} has the name of a tool of role ${role.name}. Rename one of them.`,
      { name, role: role.name },
    );
  role.registry.register(tool);
}
