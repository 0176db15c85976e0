import { withoutEnvelope } from '../../core/envelope.js';
import type { JsonSchema } from '../../core/json.js';
import type { ChatModel } from '../../core/model.js';
import type { Tool } from '../../core/tool.js';
import type { ToolRegistry } from '../../tools/registry.js';
import { isForbidden } from '../policy/policy.js';
import { type ReplyForm, replySchema, nativeTools, type NativeTools } from '../prompt/reply-form.js';
import { CHARACTERS_PER_TOKEN } from '../prompt/token-count.js';
import type { IsAllowed } from './guidance.js';
import type { Recommender } from './role-zero-options.js';
import type { RoleZeroSettings } from './role-zero-options.js';
import type { RoleState } from './state.js';

/** Share of the window for the description of the commands. */
const COMMANDS_SHARE = 0.3;

/** What is needed of the agent whose tools are shown. */
interface ToolsAgent {
  readonly registry: ToolRegistry;
  readonly settings: Pick<RoleZeroSettings, 'callPlan' | 'guidance' | 'rules'>;
  /** It may change, and with it the form of replies. */
  readonly model: ChatModel;
  readonly form: ReplyForm;
  readonly ruleName: string;
  readonly state: Pick<RoleState, 'turn'>;
  warn(message: string, error: unknown): void;
}

/** What the model is shown of the tools of an agent. All tools can be used in any case. */
export class ShownTools {
  recommender: Recommender | undefined;
  /** Names of the tools for the current step; null for those of the request. */
  ofStep: readonly string[] | null = null;
  readonly #agent: ToolsAgent;
  #schema: { version: number; schema: JsonSchema } | null = null;
  #native: { key: string; tools: NativeTools } | null = null;

  constructor(agent: ToolsAgent) {
    this.#agent = agent;
  }

  /** Chooses the tools for the request, once per turn. */
  async choose(): Promise<void> {
    const { turn } = this.#agent.state;
    if (this.recommender === undefined || turn === null || turn.offered !== undefined) return;
    try {
      const context = withoutEnvelope(turn.request?.content ?? '');
      turn.offered = (await this.recommender.recommend({ context })).map(({ name }) => name);
    } catch (error) {
      this.#agent.warn('Could not choose the matching tools; offering all of them.', error);
    }
  }

  /** Returns the description of the commands for the system prompt; the same in every step of a turn. */
  list(): string {
    const { registry, settings } = this.#agent;
    const offered = this.#offered();
    const shown = offered && registry.tools.filter(({ name }) => offered.includes(name));
    const most = this.#mostCharacters;
    const { guidance } = settings;
    if (guidance !== null) {
      const { describe } = guidance;
      return registry.describeBriefly(shown ?? guidance.tools(registry.tools), { most, describe });
    }
    const schemas = registry.describe(shown);
    return schemas.length <= most ? schemas : registry.describeBriefly(shown, { most });
  }

  /**
   * Returns the schema of replies in the form of the model. That of all commands is cached until the tools change: an engine takes seconds to compile
   * a new one.
   *
   * @param isAllowed leaves out other commands
   */
  schema(isAllowed?: IsAllowed | null): JsonSchema | undefined {
    const { registry, form } = this.#agent;
    if (!form.hasSchema) return undefined;
    if (isAllowed) return this.#schemaOf(this.#shown(registry.tools).filter(({ name }) => isAllowed(name)));
    if (this.#schema?.version !== registry.version) {
      const schema = this.#schemaOf(this.#shown(registry.tools));
      this.#schema = { version: registry.version, schema };
    }
    return this.#schema.schema;
  }

  #schemaOf(tools: readonly Tool[]): JsonSchema {
    const { callPlan, guidance } = this.#agent.settings;
    return guidance?.replySchema(tools) ?? replySchema(tools, callPlan);
  }

  /** Returns the tools in the native form, cached until they change: prompts begin with them. */
  native(): NativeTools {
    const { registry, settings, model } = this.#agent;
    const offered = this.#offered();
    const key = `${registry.version} ${model.id} ${offered?.join(' ') ?? ''}`;
    if (this.#native?.key !== key) {
      const all = offered ? registry.tools.filter(({ name }) => offered.includes(name)) : registry.tools;
      const { guidance } = settings;
      const tools = nativeTools(this.#shown(all), {
        most: this.#mostCharacters,
        describe: guidance?.describe ?? (({ description }) => description),
        isBrief: guidance !== null,
      });
      this.#native = { key, tools };
    }
    return this.#native.tools;
  }

  /** Names of the tools that the model is shown; undefined for all. */
  #offered(): readonly string[] | undefined {
    return this.ofStep ?? this.#agent.state.turn?.offered;
  }

  /** Maximum characters of the description of commands. Decided by length alone, so that the choice stays the same while the window does. */
  get #mostCharacters(): number {
    return this.#agent.model.contextWindow * CHARACTERS_PER_TOKEN * COMMANDS_SHARE;
  }

  /** Returns tools without those that are forbidden, as the guidance shows them. */
  #shown(tools: readonly Tool[]): Tool[] {
    const { ruleName, registry, settings } = this.#agent;
    const allowed = tools.filter(
      ({ name }) => !isForbidden(ruleName, name, settings.rules, registry.aliasesOf(name)),
    );
    return settings.guidance?.tools(allowed) ?? allowed;
  }
}
