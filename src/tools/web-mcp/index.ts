import { checkOptions, type OptionKind } from '../../core/check-options.js';
import { defined } from '../../core/defined.js';
import { describe, RoleZeroError } from '../../core/error.js';
import { jsonInput } from '../json-input.js';
import { isRecord } from '../../core/json.js';
import type { SourcedTools, ToolSource, ToolSourceContext } from '../../core/tool-source.js';
import type { Tool, ToolContext } from '../../core/tool.js';
import {
  claimsOf,
  DEFINITION_LIMITS,
  leftOutNotice,
  readDefinitions,
  vouched,
  type Definition,
  type DefinitionLimits,
  type DefinitionSettings,
  type Vouching,
} from '../foreign-tools.js';
import { WEB_MCP_PART, type SharedTool, type WebMcpRequest } from './protocol.js';

const WEB_MCP_GROUP = 'WebMcp';
/** Who wrote the descriptions and results. */
const PAGE_SOURCE = 'scripts of the page (WebMCP)';

/** Options of `webMcp()`. */
interface WebMcpOptions extends Partial<Vouching> {
  /** Tools that are used, by the names that the page gave them; `*` matches any characters. @default all */
  tools?: readonly string[];
  /** Limits that differ from the defaults: 100 tools, descriptions of 2,000 characters, schemas of 10,000, 60,000 in all. */
  limits?: Partial<DefinitionLimits>;
}

type Settings = DefinitionSettings & Vouching;

const WEB_MCP_OPTION_KINDS: Record<keyof WebMcpOptions, OptionKind> = {
  tools: 'list',
  reads: 'list',
  repeatable: 'list',
  believeHints: 'flag',
  trust: ['nothing', 'descriptions', 'everything'],
  limits: true,
};

/**
 * Offers the tools that scripts of the page have registered with `document.modelContext.registerTool` (WebMCP) to roles, as commands
 * `WebMcp.<tool>`, and follows their changes. The page shares them with `webMcpTools()` of `rolezero/tools/web-mcp/page`.
 *
 * They are treated like the tools of an MCP server: nothing that they say about themselves is trusted, results and descriptions are
 * untrusted content, and an approval covers a tool only as it was described.
 *
 * @example new RoleZero({ model, tools: [editor(), webMcp({ reads: ['search_*'] })] })
 * @throws RoleZeroError `invalid` naming the option that cannot be used.
 */
export function webMcp(options: WebMcpOptions = {}): ToolSource {
  checkOptions('webMcp()', options, WEB_MCP_OPTION_KINDS);
  const { tools = ['*'], reads = [], repeatable = [], believeHints = false, trust = 'nothing' } = options;
  const limits = { ...DEFINITION_LIMITS, ...options.limits };
  const settings: Settings = { name: WEB_MCP_GROUP, tools, limits, reads, repeatable, believeHints, trust };
  const untrusted = trust === 'nothing' ? PAGE_SOURCE : null;
  let last: { key: string; tools: readonly Tool[] } = { key: '', tools: [] };
  return {
    group: WEB_MCP_GROUP,
    async current(context): Promise<SourcedTools> {
      try {
        const { definitions, leftOut } = readDefinitions(await sharedTools(context), settings);
        const key = definitions.map(({ name, hash }) => `${name} ${hash}`).join();
        if (key !== last.key)
          last = { key, tools: definitions.map((each) => pageToolCommand(each, settings)) };
        return { tools: last.tools, untrusted, notice: leftOutNotice(leftOut, 'the page', limits) };
      } catch (error) {
        context.signal.throwIfAborted();
        const isMissing = error instanceof RoleZeroError && error.code === 'not-found';
        const cause = isMissing ? 'give webMcpTools() to connect({ tools }).' : describe(error);
        return { tools: last.tools, untrusted, notice: `The page shares no tools: ${cause}` };
      }
    },
  };
}

/** Returns what the page has registered. @throws RoleZeroError what the page throws. */
async function sharedTools(page: ToolSourceContext): Promise<SharedTool[]> {
  if (page.callPage === undefined) return [];
  const shared = await page.callPage(WEB_MCP_PART, { do: 'list' } satisfies WebMcpRequest);
  if (!Array.isArray(shared)) return [];
  return shared.filter(
    (tool: unknown): tool is SharedTool =>
      isRecord(tool) && typeof tool['name'] === 'string' && typeof tool['description'] === 'string',
  );
}

function pageToolCommand(definition: Definition<SharedTool>, settings: Settings): Tool {
  const { isRead, isRepeatable } = claimsOf(definition, settings);
  const { name, description, activity, schema, remote } = definition;
  const base = {
    name,
    description,
    ...defined({ activity }),
    input: jsonInput(schema),
    ...vouched(settings),
    async run(input: unknown, context: ToolContext): Promise<unknown> {
      if (settings.trust !== 'everything') context.untrusted?.(PAGE_SOURCE);
      if (context.callPage === undefined) throw new RoleZeroError('not-found', 'There is no page.');
      const call: WebMcpRequest = { do: 'call', tool: remote, input };
      const output = await context.callPage(WEB_MCP_PART, call);
      // Code on the page can read all files and private data of the user.
      await context.files.list('/', { recursive: true });
      context.private?.();
      return output;
    },
  };
  if (isRead) return { ...base, effect: 'egress-read', replay: 'idempotent' };
  const acts = { ...base, effect: 'ui', composes: true } as const;
  return isRepeatable ? { ...acts, replay: 'idempotent' } : { ...acts, replay: 'unsafe', onAmbiguous: 'ask' };
}
